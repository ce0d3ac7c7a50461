import { useState } from 'react'
import type { SkillCatalogue, SkillList } from '@shared/domain/skill'
import { openNewSkill } from '../../arranging/arranging-store'
import { words } from '../../arranging/strings'
import { useProject } from '../../stores/projects'
import { Button } from '../../ui/button'
import { PlusIcon } from '../../ui/icons'
import { Note } from '../../ui/note'
import { library } from '../library-strings'
import { TrustReview } from '../trust/trust-review'
import { ruleWords } from '../use-catalogue'
import { listWords } from './list-strings'

/** The heading with what there is, and what the person has to know first: trust, and a catalogue that is cut. */
export function ListHead(props: {
  list: SkillList
  projectDir: string | null
  catalogue: SkillCatalogue | null
}) {
  const { list, projectDir, catalogue } = props
  const project = useProject(projectDir)
  const count = (status: string): number => list.skills.filter((skill) => skill.status === status).length
  const place = project ? listWords.listHead.in(project.name) : ''
  const inert = count('not-trusted')
  return (
    <>
      <div className="hd">
        <h1 tabIndex={-1}>{listWords.listHead.skills}</h1>
        <span className="small t3" title={library.effectiveMeans}>
          {listWords.listHead.installedEffective(list.skills.length, count('effective'), place)}
        </span>
        <span className="sp" />
        <Button small variant="solid" icon={<PlusIcon size={14} />} onClick={() => openNewSkill(projectDir)}>
          {words.newSkill}
        </Button>
      </div>
      {project && !project.trusted && inert > 0 && (
        <TrustNote dir={project.dir} name={project.name} inert={inert} />
      )}
      <CatalogueNote catalogue={catalogue} place={place} />
    </>
  )
}

function TrustNote({ dir, name, inert }: { dir: string; name: string; inert: number }) {
  const [reviewing, setReviewing] = useState(false)
  return (
    <div className="skl-note">
      <Note
        tone="warn"
        title={listWords.listHead.isNotTrusted(name)}
        action={
          <Button small onClick={() => setReviewing(true)}>
            {listWords.listHead.review}
          </Button>
        }
      >
        {listWords.listHead.inactive(inert)}
      </Note>
      {reviewing && <TrustReview dir={dir} name={name} onDone={() => setReviewing(false)} />}
    </div>
  )
}

/** The catalogue is never cut silently (ux.md 3.3, `runtime.md` 1, R3). */
function CatalogueNote({ catalogue, place }: { catalogue: SkillCatalogue | null; place: string }) {
  if (!catalogue || catalogue.omitted === 0) return null
  const { entries, omitted } = catalogue
  return (
    <div className="skl-note">
      <Note
        tone="info"
        title={library.seesOf(entries, entries + omitted, place === '' ? listWords.listHead.here : place)}
      >
        {ruleWords(catalogue)}
      </Note>
    </div>
  )
}

/** When and where was looked, whether changes are seen, and what the catalogue costs. */
export function ListFoot({ list, catalogue }: { list: SkillList; catalogue: SkillCatalogue | null }) {
  const noted = list.roots.filter((root) => root.note)
  const scanned = listWords.listHead.scanned(list.roots.length, Math.round(list.scanMs))
  const [first] = noted
  const more = noted.length > 1 ? listWords.listHead.andMoreFolders(noted.length - 1) : ''
  return (
    <div className="row small t3 skl-foot">
      <span className="trunc" title={noted.map((root) => `${root.location}: ${root.note}`).join('\n')}>
        {first
          ? `${scanned}. ${first.location}: ${first.note}${more}`
          : listWords.listHead.watchingForChanges(scanned)}
      </span>
      <span className="sp" />
      {catalogue && (
        <span className="num skl-cost" title={listWords.listHead.estimated}>
          {listWords.listHead.catalogueCostPerMessage(catalogue.tokens)}
        </span>
      )}
    </div>
  )
}
