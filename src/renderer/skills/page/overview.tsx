import { useCallback, useMemo, useRef } from 'react'
import type { SkillDetail } from '@shared/domain/skill'
import { fieldUse } from '@shared/skill-md/field-table'
import { visibleLine } from '@shared/visible-text'
import { Button } from '../../ui/button'
import { Markdown } from '../../ui/markdown/markdown'
import { Tag } from '../../ui/marks'
import { EmptyState } from '../../ui/note'
import { VisibleText } from '../../ui/visible-text'
import { CopyStack } from '../copies/copy-stack'
import { library } from '../library-strings'
import { CostBars, Origin, Section, Tags } from '../preview/skill-sections'
import { revealSkill } from '../preview/switch-skills'
import { headingOf, skillLink } from './skill-link'
import type { SkillLink } from './skill-link'
import { SkillImage } from './skill-image'
import { page } from './strings'

type FileLink = Extract<SkillLink, { kind: 'file' }>

interface OverviewProps {
  detail: SkillDetail
  projectDir: string | null
  onFile: (link: FileLink) => void
}

/** What a skill says, and what is known of it. */
export function Overview({ detail, projectDir, onFile }: OverviewProps) {
  return (
    <>
      <Document detail={detail} projectDir={projectDir} onFile={onFile} />
      <div className="skpage-meta">
        {detail.statusReason && (
          <p className="small t2">
            <VisibleText text={detail.statusReason} />
          </p>
        )}
        <Tags tags={detail.tags} />
        <CopyStack detail={detail} projectDir={projectDir} />
        <CostBars detail={detail} />
        <FileLinks detail={detail} onFile={onFile} />
        <Origin detail={detail} />
        <Header detail={detail} />
      </div>
    </>
  )
}

/** The text as people read it: links lead to files of the skill, its own pictures are drawn, nothing is fetched. */
function Document({ detail, projectDir, onFile }: OverviewProps) {
  const article = useRef<HTMLElement>(null)
  const { key, fileList, treeDigest } = detail
  const known = useMemo(() => new Set(fileList.map(({ path }) => path)), [fileList])
  const open = useCallback(
    (href: string): void => {
      const link = skillLink(href, known)
      if (link.kind === 'file') onFile(link)
      if (link.kind === 'anchor') goToHeading(article.current, link.anchor)
    },
    [known, onFile],
  )
  const leads = useCallback((href: string) => skillLink(href, known).kind !== 'missing', [known])
  const drawOwnImage = useCallback(
    (src: string, alt: string) => {
      const link = skillLink(src, known)
      if (link.kind !== 'file') return null
      return (
        <SkillImage projectDir={projectDir} skill={key} path={link.path} alt={alt} version={treeDigest} />
      )
    },
    [known, projectDir, key, treeDigest],
  )
  if (detail.body.trim() === '') return <NoText detail={detail} />
  return (
    <article ref={article} className="doc" aria-label={page.instructions}>
      <Markdown text={detail.body} onInternalLink={open} isInternalLink={leads} drawOwnImage={drawOwnImage} />
    </article>
  )
}

/** A SKILL.md that could not be read says why, and is not called empty. */
function NoText({ detail }: { detail: SkillDetail }) {
  const why = detail.diagnostics.find(({ severity, file }) => severity === 'error' && file === undefined)
  if (!why) return <EmptyState text={page.noBody} />
  return (
    <EmptyState text={visibleLine([why.message, why.fix].filter(Boolean).join(' '))}>
      <Button onClick={() => revealSkill(detail.key)}>{library.showInFolder}</Button>
    </EmptyState>
  )
}

function goToHeading(article: Element | null, anchor: string): void {
  const heading = headingOf(article, anchor)
  if (!heading) return
  heading.tabIndex = -1
  heading.scrollIntoView({ block: 'start' })
  heading.focus({ preventScroll: true })
}

function FileLinks({ detail, onFile }: Pick<OverviewProps, 'detail' | 'onFile'>) {
  return (
    <Section title={page.files}>
      <ul className="small skov-files" aria-label={page.files}>
        {detail.fileList.map(({ path, isScript }) => (
          <li key={path}>
            <button
              type="button"
              className="linklike mono"
              onClick={() => onFile({ kind: 'file', path, anchor: '' })}
            >
              <VisibleText text={path} />
            </button>
            {isScript && <span className="t3">{page.script}</span>}
          </li>
        ))}
      </ul>
      {detail.fileListCut && <p className="small t3">{page.filesCut}</p>}
    </Section>
  )
}

/** Every key of the header, unknown ones included, and what Satchel does with it. */
function Header({ detail }: { detail: SkillDetail }) {
  return (
    <Section title={page.header}>
      {detail.frontmatter.length === 0 ? (
        <p className="small t3">{page.noHeader}</p>
      ) : (
        <table>
          <tbody>
            {detail.frontmatter.map(({ key, value }) => (
              <tr key={key}>
                <th scope="row" className="mono">
                  {visibleLine(key)}
                </th>
                <td>
                  <VisibleText text={value} />
                  <div className="small t3 skov-use">
                    <Tag>{page.use[fieldUse(key).use]}</Tag>
                    {fieldUse(key).what}
                  </div>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Section>
  )
}
