import { useState } from 'react'
import type { SkillDetail } from '@shared/domain/skill'
import type { SkillVersion } from '@shared/domain/skill-page'
import { api } from '../../api'
import { Button } from '../../ui/button'
import { SelectField } from '../../ui/field'
import { formatAgo, formatBytes, formatExact, shortHash } from '../../ui/format'
import { HashChip } from '../../ui/hash-chip'
import { StatusMark } from '../../ui/marks'
import { Note } from '../../ui/note'
import { useNow } from '../../ui/use-now'
import { Origin, Section } from '../preview/skill-sections'
import { RestoreDialog } from './restore-dialog'
import { page } from './strings'
import { useAsked } from './use-asked'
import { VersionDiff } from './version-diff'

interface VersionsProps {
  detail: SkillDetail
  projectDir: string | null
}

/** Where a copy came from, what it was before, and the way back. */
export function Versions({ detail, projectDir }: VersionsProps) {
  const { key, treeDigest, changedAt } = detail
  const { value, error } = useAsked(
    () => api.call('skillPage.versions', { projectDir, key }),
    JSON.stringify([projectDir, key, treeDigest, changedAt]),
  )
  return (
    <div className="skve">
      <Origin detail={detail} />
      {error && <Note tone="bad">{error}</Note>}
      {value && (
        <>
          <Timeline detail={detail} projectDir={projectDir} versions={value} />
          <Compare detail={detail} projectDir={projectDir} versions={value.filter(({ kept }) => kept)} />
        </>
      )}
    </div>
  )
}

function Timeline({ detail, projectDir, versions }: VersionsProps & { versions: readonly SkillVersion[] }) {
  const [restoring, setRestoring] = useState<SkillVersion | null>(null)
  const now = useNow(60_000)
  const words = page.versions
  const current = versions.find(({ isNow }) => isNow)
  return (
    <Section title={words.title}>
      <p className="small t2">{words.intro}</p>
      <ol className="skve-list" aria-label={words.title}>
        {versions.map((version) => (
          <li key={version.digest}>
            <HashChip hash={version.digest} />
            <span className="small" title={formatExact(version.seenAt)}>
              {words.how[version.how]} · {formatAgo(version.seenAt, now)}
            </span>
            {version.isNow && <StatusMark tone="ok">{words.isNow}</StatusMark>}
            <span className="small t3">
              {version.kept ? words.size(version.kept.files, formatBytes(version.kept.bytes)) : words.notKept}
            </span>
            <span className="sp" />
            {current && version.kept && !version.isNow && !detail.readOnly && (
              <Button small onClick={() => setRestoring(version)}>
                {words.restore}
                <span className="sr">{` ${shortHash(version.digest)}`}</span>
              </Button>
            )}
          </li>
        ))}
      </ol>
      {restoring && current && (
        <RestoreDialog
          skill={{ projectDir, key: detail.key, name: detail.name }}
          digest={restoring.digest}
          current={current.digest}
          onClose={() => setRestoring(null)}
        />
      )}
    </Section>
  )
}

function Compare({ detail, projectDir, versions }: VersionsProps & { versions: readonly SkillVersion[] }) {
  const [chosen, setChosen] = useState<{ before?: string; after?: string }>({})
  const now = useNow(60_000)
  const words = page.versions
  const known = (digest: string | undefined) => versions.find((version) => version.digest === digest)?.digest
  const after = known(chosen.after) ?? versions[0]?.digest
  const before = known(chosen.before) ?? versions[1]?.digest
  if (after === undefined || before === undefined) return <p className="small t3">{words.onlyOne}</p>
  const options = versions.map(({ digest, how, seenAt, isNow }) => (
    <option key={digest} value={digest}>
      {isNow ? words.now : `${words.how[how]}, ${formatAgo(seenAt, now)}, ${shortHash(digest)}`}
    </option>
  ))
  return (
    <Section title={words.compare}>
      <div className="row skve-choose">
        <SelectField
          label={words.before}
          value={before}
          onChange={(event) => setChosen({ before: event.target.value, after })}
        >
          {options}
        </SelectField>
        <SelectField
          label={words.after}
          value={after}
          onChange={(event) => setChosen({ before, after: event.target.value })}
        >
          {options}
        </SelectField>
      </div>
      <VersionDiff skill={{ projectDir, key: detail.key }} before={before} after={after} />
    </Section>
  )
}
