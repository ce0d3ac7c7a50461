import { useMemo } from 'react'
import type { SkillDetail } from '@shared/domain/skill'
import { CLIENTS, LENS_AS_OF, LENS_CLIENTS } from '@shared/lens/clients'
import { lens, lensFolder } from '@shared/lens/lens'
import type { LensStatement, LensView } from '@shared/lens/lens'
import { Note } from '../../ui/note'
import { StatusMark } from '../../ui/marks'
import { VisibleText } from '../../ui/visible-text'
import { Waiting } from '../../ui/waiting'
import { folderOf } from '../preview/skill-facts'
import { page } from './strings'
import { useSkillMd } from './use-skill-md'

interface WhereProps {
  detail: SkillDetail
  projectDir: string | null
  onLine: (line: number) => void
}

/** What other programs would do with this skill, each statement with its reason (M11). */
export function Where({ detail, projectDir, onLine }: WhereProps) {
  const { value, error } = useSkillMd(projectDir, detail)
  const views = useMemo(() => {
    if (!value?.text) return []
    const skill = {
      fileName: value.path,
      text: value.text,
      folder: folderOf(detail.location),
      isInside: detail.parent !== undefined,
    }
    return LENS_CLIENTS.map((client) => lens(skill, client))
  }, [value, detail.location, detail.parent])
  if (error) return <Note tone="bad">{error}</Note>
  if (!value) return <Waiting text={page.reading} />
  if (value.text === null) return <Note tone="info">{page.where.noText}</Note>
  return (
    <>
      <p className="small t2 skwh-intro">{page.where.intro(LENS_AS_OF)}</p>
      <ul className="skwh" aria-label={page.tabs.where}>
        {views.map((view) => (
          <li key={view.client} data-state={view.verdict}>
            <Client view={view} location={detail.location} onLine={onLine} />
          </li>
        ))}
      </ul>
    </>
  )
}

const TONE = { fine: 'ok', loss: 'warn', rejected: 'bad', unseen: 'bad', unknown: 'off' } as const

function Client({
  view,
  location,
  onLine,
}: {
  view: LensView
  location: string
  onLine: (line: number) => void
}) {
  const { client, label, verdict, statements, listed } = view
  const folder = lensFolder(client, location)
  const dirs = [...CLIENTS[client].own, ...CLIENTS[client].inProject.map(page.where.inProject)]
  return (
    <>
      <div className="row skwh-head">
        <h2>{label}</h2>
        <StatusMark tone={TONE[verdict]}>{page.where.verdict[verdict]}</StatusMark>
      </div>
      <div className="skwh-body">
        <p className="small t2">{folder === null ? page.where.elsewhere(dirs) : page.where.looks(folder)}</p>
        {statements.length > 0 && (
          <ul className="skwh-says">
            {statements.map((statement) => (
              <li key={statement.rule}>
                <Statement statement={statement} onLine={onLine} />
              </li>
            ))}
          </ul>
        )}
        {listed && (
          <dl className="kv small">
            <dt>{page.where.listsAs}</dt>
            <dd>
              <span className="mono">
                <VisibleText text={listed.name} />
              </span>
              {': '}
              <VisibleText text={listed.description} />
            </dd>
          </dl>
        )}
      </div>
    </>
  )
}

function Statement({ statement, onLine }: { statement: LensStatement; onLine: (line: number) => void }) {
  const { title, text, effect, line, fix } = statement
  return (
    <>
      <StatusMark tone={TONE[effect]}>{title}</StatusMark>
      <div className="grow">
        {text}
        {fix && <span className="t2"> {fix}</span>}
      </div>
      {line !== undefined && (
        <button type="button" className="linklike small mono" onClick={() => onLine(line)}>
          {page.lineOf('SKILL.md', line)}
        </button>
      )}
    </>
  )
}
