import { useEffect, useMemo, useState } from 'react'
import type { SkillDetail } from '@shared/domain/skill'
import { visibleText } from '@shared/visible-text'
import { api, messageOf } from '../../api'
import { CodeView } from '../../ui/code-view'
import { FileList } from '../../ui/file-list'
import { ReadIcon, RunIcon } from '../../ui/icons'
import { EmptyState, Note } from '../../ui/note'
import { lineOfAnchor } from '../page/skill-link'
import { skillWords } from '../skill-strings'

interface FileText {
  path: string
  text: string | null
  size: number
  cut: boolean
}

/** The files of a skill; a click shows the text. Nothing here can be changed or run. */
export function SkillFiles(props: {
  detail: SkillDetail
  projectDir: string | null
  chosen: string | null
  /** What to show of it: a line, or the heading of an anchor. */
  place: { line: number | undefined; anchor: string | undefined }
  onChoose: (path: string) => void
}) {
  const { detail, projectDir, chosen, place, onChoose } = props
  const path = chosen ?? detail.fileList[0]?.path ?? null
  const { file, error } = useFile(projectDir, detail, path)
  if (path === null) return <EmptyState text={skillWords.skillFiles.thereAreNoFiles} />
  return (
    <div className="skfiles">
      <FileList
        label={skillWords.skillFiles.files}
        files={detail.fileList}
        chosen={path}
        onChoose={onChoose}
        icon={fileIcon}
      />
      <div className="skfile">
        {error && <Note tone="bad">{error}</Note>}
        {file && <FileBody file={file} place={place} />}
      </div>
    </div>
  )
}

function fileIcon({ isScript }: SkillDetail['fileList'][number]) {
  return isScript ? <RunIcon size={14} /> : <ReadIcon size={14} />
}

function FileBody({
  file,
  place,
}: {
  file: FileText
  place: { line?: number | undefined; anchor?: string | undefined }
}) {
  const { line, anchor } = place
  const target = useMemo(() => {
    const at = line ?? (file.text === null || !anchor ? undefined : lineOfAnchor(file.text, anchor))
    return at === undefined ? undefined : { line: at, n: 0 }
  }, [file.text, line, anchor])
  if (file.text === null) {
    return <EmptyState text={skillWords.skillFiles.isNotTextSo(visibleText(file.path), file.size)} />
  }
  return (
    <>
      {file.cut && <Note tone="info">{skillWords.skillFiles.onlyTheFirstPart(file.size)}</Note>}
      <CodeView
        key={file.path}
        text={file.text}
        path={file.path}
        label={visibleText(file.path)}
        target={target}
      />
    </>
  )
}

function useFile(projectDir: string | null, detail: SkillDetail, path: string | null) {
  const [state, setState] = useState<{ file: FileText | undefined; error: string }>({
    file: undefined,
    error: '',
  })
  const { key, treeDigest } = detail
  useEffect(() => {
    if (path === null) return undefined
    let current = true
    api.call('skills.readFile', { projectDir, key, path }).then(
      (file) => current && setState({ file: { path, ...file }, error: '' }),
      (error: unknown) => current && setState({ file: undefined, error: messageOf(error) }),
    )
    return () => {
      current = false
    }
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- other contents mean: read again
  }, [projectDir, key, path, treeDigest])
  return state.file && state.file.path !== path ? { file: undefined, error: '' } : state
}
