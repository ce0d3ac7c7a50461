import { useMemo, useState } from 'react'
import type { Diagnostic, SkillDetail } from '@shared/domain/skill'
import { RULES } from '@shared/skill-check/rules'
import { strictErrors } from '@shared/skill-check/strict'
import { fixEdits } from '@shared/skill-md/fix-edits'
import { visibleText } from '@shared/visible-text'
import { Button } from '../../ui/button'
import { StatusMark } from '../../ui/marks'
import { EmptyState } from '../../ui/note'
import { VisibleText } from '../../ui/visible-text'
import { folderOf, problemKey, problemPlace, sortProblems } from '../skill-facts'
import { ProblemSeverity } from '../skill-problems'
import { Section } from '../skill-sections'
import { FixDialog } from './fix-dialog'
import { page } from './strings'
import { useSkillMd } from './use-skill-md'

interface ProblemsProps {
  detail: SkillDetail
  projectDir: string | null
  onPlace: (file: string, line: number | undefined) => void
}

/** Everything that is wrong with a skill, as Satchel reads it and as the format says it to the letter. */
export function Problems({ detail, projectDir, onPlace }: ProblemsProps) {
  const { value } = useSkillMd(projectDir, detail)
  const [fixing, setFixing] = useState<Diagnostic | null>(null)
  const path = value?.path ?? 'SKILL.md'
  const text = value?.text ?? null
  const folder = folderOf(detail.location)
  const fixable = useMemo(() => {
    if (text === null || detail.readOnly) return new Set<Diagnostic>()
    return new Set(
      detail.diagnostics.filter((one) => fixEdits(text, { ...one, folderName: folder }) !== null),
    )
  }, [text, detail.readOnly, detail.diagnostics, folder])
  const words = page.problems
  return (
    <div className="skpr">
      <Section title={words.lenient}>
        <p className="small t2">{words.lenientIntro}</p>
        {detail.diagnostics.length === 0 ? (
          <EmptyState text={words.none} />
        ) : (
          <ul className="skproblems" aria-label={page.tabs.problems}>
            {sortProblems(detail.diagnostics).map((problem) => (
              <li key={problemKey(problem)} data-state={problem.severity}>
                <ProblemSeverity problem={problem} />
                <Words problem={problem} />
                <Place problem={problem} path={path} onPlace={onPlace} />
                <span className="skpr-act">
                  {fixable.has(problem) && (
                    <Button small onClick={() => setFixing(problem)}>
                      {words.fix}
                      <span className="sr">{` ${visibleText(problem.message)}`}</span>
                    </Button>
                  )}
                </span>
              </li>
            ))}
          </ul>
        )}
      </Section>
      <Strict path={path} text={text} folder={folder} />
      {fixing && <FixDialog detail={detail} problem={fixing} path={path} onClose={() => setFixing(null)} />}
    </div>
  )
}

function Words({ problem: { code, message, fix } }: { problem: Diagnostic }) {
  const why = RULES[code]?.why ?? null
  return (
    <div className="grow skproblems-words">
      <div>
        <VisibleText text={message} />
      </div>
      {why !== null && <div className="small t3">{why}</div>}
      {fix && (
        <div className="small t2">
          <VisibleText text={fix} />
        </div>
      )}
      <div className="small mono t3">{code}</div>
    </div>
  )
}

function Place(props: { problem: Diagnostic; path: string } & Pick<ProblemsProps, 'onPlace'>) {
  const { problem, path, onPlace } = props
  const file = problem.file ?? path
  return (
    <button
      type="button"
      className="linklike small mono skproblems-place"
      onClick={() => onPlace(file, problem.line)}
    >
      <VisibleText text={problemPlace({ ...problem, file })} />
    </button>
  )
}

/** The spellings that it knows. */
const NAMES = ['SKILL.md', 'skill.md'] as const

/** What the reference validator says of the same folder, and what of it are its own mistakes (`format.md` 1.3). */
function Strict({ path, text, folder }: { path: string; text: string | null; folder: string }) {
  const words = page.problems
  const { format, exact } = useMemo(() => {
    const name = NAMES.find((known) => known === path)
    const skillMd = name && text !== null ? { name, bytes: new TextEncoder().encode(text) } : null
    const of = { path: folder, kind: 'folder' as const, name: folder, skillMd }
    return { format: strictErrors(of), exact: strictErrors(of, { exact: true }) }
  }, [path, text, folder])
  const differs = exact.join('\n') !== format.join('\n')
  return (
    <>
      <Section title={words.strict}>
        <p className="small t2">{words.strictIntro}</p>
        <Sentences sentences={format} label={words.strict} />
      </Section>
      {differs && (
        <Section title={words.reference}>
          <p className="small t2">{words.referenceIntro}</p>
          <Sentences sentences={exact} label={words.reference} />
        </Section>
      )}
    </>
  )
}

function Sentences({ sentences, label }: { sentences: readonly string[]; label: string }) {
  if (sentences.length === 0) return <StatusMark tone="ok">{page.problems.valid}</StatusMark>
  return (
    <ul className="skpr-strict" aria-label={label}>
      {sentences.map((sentence) => (
        <li key={sentence}>
          <StatusMark tone="bad">{page.problems.error}</StatusMark>
          <span className="grow">
            <VisibleText text={sentence} />
          </span>
        </li>
      ))}
    </ul>
  )
}
