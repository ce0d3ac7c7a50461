import type { ReactNode } from 'react'
import { visibleText } from '@shared/visible-text'
import { formatBytes } from './format'

interface ListedFile {
  path: string
  size: number
}

/** Files by path and size, one of them chosen. */
export function FileList<T extends ListedFile>(props: {
  label: string
  files: readonly T[]
  chosen: string | null
  onChoose: (path: string) => void
  icon?: (file: T) => ReactNode
}) {
  return (
    <ul aria-label={props.label}>
      {props.files.map((file) => (
        <li key={file.path}>
          <button
            type="button"
            className={file.path === props.chosen ? 'li on' : 'li'}
            aria-current={file.path === props.chosen}
            onClick={() => props.onChoose(file.path)}
          >
            {props.icon?.(file)}
            <span className="grow trunc mono" title={visibleText(file.path)}>
              {visibleText(file.path)}
            </span>
            <span className="cnt">{formatBytes(file.size)}</span>
          </button>
        </li>
      ))}
    </ul>
  )
}
