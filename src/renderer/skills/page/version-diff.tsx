import { useState } from 'react'
import { clsx } from 'clsx'
import type { ComparedFile } from '@shared/domain/skill'
import { visibleLine } from '@shared/visible-text'
import { api } from '../../api'
import { DiffView } from '../../ui/diff-view'
import { Note } from '../../ui/note'
import { page } from './strings'
import { useAsked } from './use-asked'

export interface VersionSkill {
  projectDir: string | null
  key: string
}

interface VersionDiffProps {
  skill: VersionSkill
  before: string
  after: string
}

/** The files that differ between two versions, and the lines of one of them. */
export function VersionDiff({ skill, before, after }: VersionDiffProps) {
  const { projectDir, key } = skill
  const [chosen, setChosen] = useState<string | null>(null)
  const { value, error } = useAsked(
    () => api.call('skillPage.compare', { projectDir, key, before, after }),
    JSON.stringify([projectDir, key, before, after]),
  )
  const words = page.versions
  if (error) return <Note tone="bad">{error}</Note>
  if (!value) return null
  if (value.length === 0) return <p className="small t3">{words.same}</p>
  const file = value.find(({ path }) => path === chosen) ?? value[0]
  return (
    <div className="skve-diff">
      <ul aria-label={words.files}>
        {value.map(({ path, state }) => (
          <li key={path}>
            <button
              type="button"
              className={clsx('li', path === file?.path && 'on')}
              aria-current={path === file?.path}
              onClick={() => setChosen(path)}
            >
              <span className="grow mono small trunc" title={visibleLine(path)}>
                {visibleLine(path)}
              </span>
              <span className="tiny t2">{words.state[state]}</span>
            </button>
          </li>
        ))}
      </ul>
      {file && <Lines skill={skill} before={before} after={after} file={file} />}
    </div>
  )
}

function Lines({ skill, before, after, file }: VersionDiffProps & { file: ComparedFile }) {
  const { projectDir, key } = skill
  const { path, state } = file
  const { value, error } = useAsked(
    async () => {
      const text = async (digest: string) =>
        (await api.call('skillPage.versionText', { projectDir, key, digest, path })).text
      return {
        of: path,
        before: state === 'right-only' ? '' : await text(before),
        after: state === 'left-only' ? '' : await text(after),
      }
    },
    JSON.stringify([projectDir, key, before, after, path]),
  )
  if (error) return <Note tone="bad">{error}</Note>
  if (!value || value.of !== path) return null
  if (state === 'mode') return <p className="small t2">{page.versions.modeOnly}</p>
  if (value.before === null || value.after === null) return <p className="small t2">{page.versions.noText}</p>
  return (
    <DiffView
      before={value.before}
      after={value.after}
      path={path}
      label={page.versions.changesOf(visibleLine(path))}
      wrap
    />
  )
}
