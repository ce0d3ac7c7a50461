import type { FileChangeInput } from '@shared/domain/editing'
import { MAX_EDITED } from '@shared/domain/editing'
import { api, messageOf } from '../../api'
import { addSkillNotice } from '../../stores/ui'
import { announce } from '../../ui/announce'
import { closeDocument, documentId } from '../documents'
import { words } from '../strings'

/** What was deleted last, and the version that has it. */
export interface Deleted {
  path: string
  kept: string
}

const change = (input: FileChangeInput) => api.call('editor.change', input)

export async function addPath(key: string, kind: 'file' | 'folder', path: string): Promise<void> {
  await change(kind === 'folder' ? { t: 'folder', key, path } : { t: 'file', key, path, base64: '' })
}

export async function renamePath(key: string, path: string, to: string): Promise<void> {
  if (path === to) return
  await change({ t: 'rename', key, path, to })
  closeDocument(documentId(key, path))
}

/** Undefined where it could not be, which is told. */
export async function deletePath(key: string, path: string): Promise<Deleted | undefined> {
  try {
    const { kept } = await change({ t: 'delete', key, path })
    closeDocument(documentId(key, path))
    return { path, kept }
  } catch (error) {
    addSkillNotice('error', messageOf(error), key)
    return undefined
  }
}

export async function putBack(key: string, { path, kept }: Deleted): Promise<void> {
  try {
    await change({ t: 'put-back', key, path, digest: kept })
  } catch (error) {
    addSkillNotice('error', messageOf(error), key)
  }
}

export async function revealPath(key: string, path: string): Promise<void> {
  try {
    await api.call('editor.reveal', { key, path })
  } catch (error) {
    addSkillNotice('error', messageOf(error), key)
  }
}

export async function copyPath(key: string, path: string): Promise<void> {
  try {
    await navigator.clipboard.writeText((await api.call('editor.whereIs', { key, path })).path)
    announce(words.fileTree.copied)
  } catch (error) {
    addSkillNotice('error', messageOf(error), key)
  }
}

/** Adds files that were dropped; each that can't be says why, the others come all the same. */
export async function addDropped(key: string, files: readonly File[], below: string): Promise<void> {
  for (const file of files) {
    const path = below === '' ? file.name : `${below}/${file.name}`
    try {
      if (file.size > MAX_EDITED) throw new Error(`${file.name} is larger than 1 MB.`)
      await change({ t: 'file', key, path, base64: base64Of(new Uint8Array(await file.arrayBuffer())) })
    } catch (error) {
      addSkillNotice('error', error instanceof Error ? error.message : messageOf(error), key)
    }
  }
}

function base64Of(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += 8192) {
    text += String.fromCharCode(...bytes.subarray(at, at + 8192))
  }
  return btoa(text)
}
