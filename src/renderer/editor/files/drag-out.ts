import type { SkillFileRef } from '@shared/domain/editing'
import { visibleLine } from '@shared/visible-text'
import { api, messageOf } from '../../api'
import { addSkillNotice } from '../../stores/ui'
import { words } from '../strings'

/** The file that is being dragged; until the pointer moves over the window with no button pressed. */
let dragged: SkillFileRef | null = null

/** Main goes on with the drag, with the file as it is on disk; what is typed and not saved is no part of it. */
export async function dragOut(file: SkillFileRef, isUnsaved: boolean): Promise<void> {
  dragged = file
  window.addEventListener('pointermove', forgetDragged)
  try {
    await api.call('editor.dragOut', file)
    if (isUnsaved) addSkillNotice('info', words.fileTree.draggedAsSaved(visibleLine(file.path)), file.key)
  } catch (error) {
    dragged = null
    addSkillNotice('error', messageOf(error), file.key)
  }
}

/** True for a file that was let go where it came from: nothing is meant by it. */
export function isBackAgain(key: string, files: readonly Pick<File, 'name'>[], below: string): boolean {
  const [file, ...others] = files
  if (!file || others.length > 0 || dragged?.key !== key) return false
  return dragged.path === (below === '' ? file.name : `${below}/${file.name}`)
}

export function forgetDragged({ buttons }: Pick<PointerEvent, 'buttons'>): void {
  if (buttons !== 0) return
  dragged = null
  window.removeEventListener('pointermove', forgetDragged)
}
