import { useEffect, useState } from 'react'
import type { SkillFile } from '@shared/domain/skill'
import { bodyTokens } from './seen-tokens'
import { visibleLine } from '@shared/visible-text'
import { api } from '../../api'
import { formatNumber, formatTokens } from '../../ui/format'
import { Section } from '../../skills/preview/skill-sections'
import { formValues } from '../form/form-fields'
import { RankPart } from './rank-part'
import { words } from '../strings'

export interface SeenPanelProps {
  skillKey: string
  folderName: string
  projectDir: string | null
  /** SKILL.md as it is typed, and as it is on disk. */
  text: string
  saved: string
  files: readonly SkillFile[]
}

const ADVISED = 5000

/** What an agent gets of this skill on each of the three levels, with the text as it is typed now. */
export function SeenPanel({ skillKey, folderName, projectDir, text, saved, files }: SeenPanelProps) {
  const { parsed } = formValues(text, folderName)
  const { name, description, tags } = parsed
  const entry = useSeen(name, description)
  const loaded = bodyTokens(text, folderName)
  const change = loaded - bodyTokens(saved, folderName)
  return (
    <div className="ed-seen">
      <Section title={words.always}>
        <Row label={words.everyMessage} value={formatTokens(entry?.tokens ?? 0)} />
        <pre className="code mono small">{entry?.text}</pre>
      </Section>
      <Section title={words.loaded}>
        <Row label={words.bodyLines(bodyLines(parsed.body))} value={words.ofAdvised(formatNumber(loaded))} />
        <meter
          className="ed-meter"
          min={0}
          max={ADVISED}
          value={Math.min(loaded, ADVISED)}
          aria-label={words.ofAdvised(formatNumber(loaded))}
        />
        <p className="small t3">{words.savingChanges(change, formatTokens(Math.abs(change)))}</p>
      </Section>
      <Opened files={files} />
      <RankPart projectDir={projectDir} skill={{ key: skillKey, name, description, tags }} />
    </div>
  )
}

function Opened({ files }: { files: readonly SkillFile[] }) {
  const others = files.filter(({ path }) => !/^skill\.md$/i.test(path))
  const read = others.filter(({ isScript }) => !isScript)
  const scripts = others.length - read.length
  const tokens = (size: number) => Math.ceil(size / 4)
  // Of all together, as the list counts them: rounded up once.
  const all = tokens(read.reduce((sum, { size }) => sum + size, 0))
  return (
    <Section title={words.opened}>
      <Row label={words.seenPanel.file(read.length)} value={formatNumber(all)} />
      {read.slice(0, 12).map(({ path, size }) => (
        <Row key={path} label={visibleLine(path)} value={formatNumber(tokens(size))} mono />
      ))}
      {scripts > 0 && <Row label={words.scriptsRun(scripts)} value="0" />}
    </Section>
  )
}

function Row({ label, value, mono = false }: { label: string; value: string; mono?: boolean }) {
  return (
    <div className="row small">
      <span className={mono ? 'grow trunc mono' : 'grow trunc t2'}>{label}</span>
      <span className="num t2">{value}</span>
    </div>
  )
}

function bodyLines(body: string): string {
  return words.seenPanel.line(body === '' ? 0 : body.split('\n').length)
}

function useSeen(name: string, description: string) {
  const [entry, setEntry] = useState<{ text: string; tokens: number }>()
  useEffect(() => {
    let current = true
    // Names and descriptions that are too long to be sent are cut where they are shown too.
    const words = { name: name.slice(0, 1000), description }
    api.call('editor.seen', words).then(
      (seen) => current && setEntry(seen),
      () => current && setEntry(undefined),
    )
    return () => {
      current = false
    }
  }, [name, description])
  return entry
}
