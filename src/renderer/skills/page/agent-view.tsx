import { useState } from 'react'
import type { SkillDetail } from '@shared/domain/skill'
import type { FileCost } from '@shared/domain/skill-page'
import { DisclosureStyle } from '@shared/domain/settings'
import { api } from '../../api'
import { CodeView } from '../../ui/code-view'
import { CopyButton } from '../../ui/copy-button'
import { formatEstimate, formatNumber, formatTokens } from '../../ui/format'
import { Note } from '../../ui/note'
import { FilterChip } from '../../ui/tabs'
import { VisibleText } from '../../ui/visible-text'
import { Waiting } from '../../ui/waiting'
import { page } from './strings'
import { useAsked } from './use-asked'

interface AgentViewProps {
  detail: SkillDetail
  projectDir: string | null
}

const STYLES = DisclosureStyle.options
/** Tokens of a body that are advised at most (`format.md` 1.2). */
const ADVISED = 5000

/** The exact text that a model gets of the skill, in each style, and what each level costs. */
export function AgentView({ detail, projectDir }: AgentViewProps) {
  const [chosen, setChosen] = useState<DisclosureStyle | undefined>()
  const { key, treeDigest, changedAt, status } = detail
  const { value, error } = useAsked(
    () => api.call('skillPage.asSeen', { projectDir, key, ...(chosen ? { style: chosen } : {}) }),
    JSON.stringify([projectDir, key, treeDigest, changedAt, status, chosen]),
  )
  const words = page.agent
  return (
    <div className="skag">
      {(status !== 'effective' || detail.hiddenFromModel) && (
        <Note tone="info" title={words.notSeen}>
          {detail.statusReason || words.hidden}
        </Note>
      )}
      <fieldset className="row skag-styles" aria-label={words.styles}>
        {STYLES.map((style) => (
          <FilterChip
            key={style}
            pressed={style === (chosen ?? value?.style)}
            onPress={() => setChosen(style)}
          >
            {words.style[style]}
          </FilterChip>
        ))}
      </fieldset>
      {error && <Note tone="bad">{error}</Note>}
      {value && (
        <>
          <p className="small t2">{value.isDefault ? words.isDefault : words.isOther}</p>
          <Level
            title={words.always}
            cost={value.entryTokens === 0 ? words.fixedCost : words.entryCost(value.entryTokens)}
            where={value.listIn === null ? words.listInInstructions : words.listInTool(value.listIn)}
            text={value.list}
            path="list.xml"
          />
          <Level
            title={words.loaded}
            cost={words.loadedCost(value.loaded.tokens, ADVISED)}
            where={
              value.loaded.tool === null ? words.bodyInInstructions : words.bodyInResult(value.loaded.tool)
            }
            text={value.loaded.text}
            path="loaded.md"
          />
          <FileCosts detail={detail} projectDir={projectDir} />
        </>
      )}
    </div>
  )
}

function Level(props: { title: string; cost: string; where: string; text: string; path: string }) {
  const { title, cost, where, text, path } = props
  return (
    <section className="skag-level">
      <div className="row">
        <h2>{title}</h2>
        <span className="small t2 num">{cost}</span>
        <span className="sp" />
        <CopyButton text={text} />
      </div>
      <p className="small t3">{where}</p>
      <CodeView text={text} path={path} label={title} wrap />
    </section>
  )
}

function FileCosts({ detail, projectDir }: AgentViewProps) {
  const { key, treeDigest } = detail
  const { value, error } = useAsked(
    () => api.call('skillPage.fileCosts', { projectDir, key }),
    JSON.stringify([projectDir, key, treeDigest]),
  )
  if (error) return <Note tone="bad">{error}</Note>
  if (!value) return <Waiting text={page.reading} />
  const words = page.agent
  const read = value.filter(({ isScript }) => !isScript)
  const total = read.reduce((sum, { tokens }) => sum + (tokens ?? 0), 0)
  return (
    <section className="skag-level">
      <div className="row">
        <h2>{words.opened}</h2>
        <span className="small t2 num">{formatTokens(total)}</span>
      </div>
      {value.length === 0 ? (
        <p className="small t3">{words.noFiles}</p>
      ) : (
        <ul className="small skag-files" aria-label={words.opened}>
          {read.map((file) => (
            <CostLine key={file.path} file={file} />
          ))}
          {value.length > read.length && (
            <li className="row">
              <span className="grow t3">{words.scripts(value.length - read.length)}</span>
              <span className="num">{formatNumber(0)}</span>
            </li>
          )}
        </ul>
      )}
    </section>
  )
}

function CostLine({ file }: { file: FileCost }) {
  return (
    <li className="row">
      <span className="mono grow">
        <VisibleText text={file.path} />
      </span>
      <span className="num t2">
        {file.tokens === null ? page.agent.notCounted : formatEstimate(file.tokens)}
      </span>
    </li>
  )
}
