import { useEffect } from 'react'
import { openSkillPage } from '../skills/page/open-skill'
import { reachSkill } from '../skills/tree/skills-place'
import { useCurrentProjectDir } from '../stores/current-project'
import { useSkills } from '../stores/skills'
import { uiStore, useUi } from '../stores/ui'
import { ArrangeDialog, RestoreDialog } from './arrange-dialog'
import { arrived, undoLast, useArranging } from './arranging-store'
import './arranging.css'
import { ManyDialog } from './many-dialog'
import { NewSkillDialog } from './new-skill-dialog'
import { UndoToast } from './undo-toast'

/** Over every area: the dialogs that arrange skill folders, and what was just done. */
export function Arranging() {
  const dialog = useArranging((state) => state.dialog)
  const toast = useArranging((state) => state.toast)
  useOpenAwaited()
  useUndoKey()
  return (
    <>
      {dialog?.kind === 'new' && <NewSkillDialog projectDir={dialog.projectDir} text={dialog.text} />}
      {dialog?.kind === 'restore' && (
        <RestoreDialog trashId={dialog.trashId} name={dialog.name} why={dialog.why} />
      )}
      {dialog?.kind === 'many' && (
        <ManyDialog
          kind={dialog.asked}
          skills={dialog.skills}
          projectDir={dialog.projectDir}
          place={dialog.place}
        />
      )}
      {dialog && 'skill' in dialog && (
        <ArrangeDialog
          key={`${dialog.kind} ${dialog.skill.key}`}
          kind={dialog.kind}
          skill={dialog.skill}
          projectDir={dialog.projectDir}
          to={dialog.to}
          place={dialog.place}
        />
      )}
      {toast && <UndoToast key={toast.n} toast={toast} />}
    </>
  )
}

/** Leads to a skill that was just made, moved or renamed, once the list knows it: to its page, or to its row. */
function useOpenAwaited(): void {
  const awaited = useArranging((state) => state.awaited)
  const awaitedAs = useArranging((state) => state.awaitedAs)
  const area = useUi((state) => state.area)
  const projectDir = useCurrentProjectDir()
  const list = useSkills((state) => state.lists[projectDir ?? ''])
  useEffect(() => {
    if (awaited === null || !list || area !== 'skills') return
    const skill = list.skills.find(({ key }) => key.slice(key.indexOf(':') + 1) === awaited)
    if (!skill) return
    arrived()
    if (awaitedAs === 'row') reachSkill(skill.key)
    else openSkillPage(skill, list.skills, awaitedAs === 'edit' ? 'edit' : undefined)
  }, [awaited, awaitedAs, list, area])
}

/** Ctrl+Z or ⌘Z in the skills area takes back the last change of a skill folder, unless it is a text that is undone. */
function useUndoKey(): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      const isUndo = event.key === 'z' && (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey
      if (!isUndo || event.defaultPrevented || uiStore.getState().area !== 'skills') return
      if (
        (event.target as HTMLElement).closest('input, textarea, select, [contenteditable], [role="dialog"]')
      )
        return
      event.preventDefault()
      undoLast()
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
}
