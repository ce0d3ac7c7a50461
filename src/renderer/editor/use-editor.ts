import { useEffect, useState } from 'react'
import type { EditedSkill } from '@shared/domain/editing'
import type { Diagnostic } from '@shared/domain/skill'
import { api, messageOf } from '../api'
import { useSkills } from '../stores/skills'
import { skillCompletion } from './text/complete'
import { documentId, lookAgain, openDocument, useDocument, viewOf } from './documents'
import type { OpenDocument } from './documents'
import { fixOf, problemsOf, showProblems } from './problems/problems'
import { baseExtensions } from './text/setup'

/** The files of a skill, asked for again when something on disk changed. */
export function useEditedSkill(key: string): { skill: EditedSkill | undefined; error: string } {
  const version = useSkills((state) => state.version)
  const [state, setState] = useState<{ skill: EditedSkill | undefined; error: string }>({
    skill: undefined,
    error: '',
  })
  useEffect(() => {
    let current = true
    api.call('editor.open', { key }).then(
      (skill) => current && setState({ skill, error: '' }),
      (error: unknown) => current && setState((before) => ({ ...before, error: messageOf(error) })),
    )
    return () => {
      current = false
    }
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- a new version means: ask again
  }, [key, version])
  return state
}

/** Paths of the files that completion offers; replaced as a whole when files come and go. */
const offered = new Map<string, readonly string[]>()

/** Opens a file, and looks at the disk again whenever something of the skills changed there. */
export function useOpenDocument(
  skill: EditedSkill | undefined,
  key: string,
  path: string,
): { document: OpenDocument | undefined; error: string } {
  const id = documentId(key, path)
  const document = useDocument(id)
  const version = useSkills((state) => state.version)
  const [error, setError] = useState({ id: '', text: '' })
  const isOpen = document !== undefined
  useEffect(() => {
    if (skill)
      offered.set(
        key,
        skill.files.map((file) => file.path),
      )
  }, [skill, key])
  useEffect(() => {
    if (isOpen) return
    openDocument(key, path, ({ path, form, readOnly }) => [
      ...baseExtensions({ label: path, path, readOnly, keepsEnds: form.ends === 'mixed' }),
      skillCompletion(() => offered.get(key) ?? []),
    ]).catch((reason: unknown) => setError({ id: documentId(key, path), text: messageOf(reason) }))
  }, [isOpen, key, path])
  useEffect(() => {
    if (isOpen) void lookAgain(id)
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- a new version means: look again
  }, [isOpen, id, version])
  return { document, error: error.id === id && !isOpen ? error.text : '' }
}

/** Problems of the text as it is typed, drawn beside their lines. */
export function useProblems(document: OpenDocument | undefined, folderName: string): readonly Diagnostic[] {
  const [found, setFound] = useState<{ id: string; problems: Diagnostic[] }>({ id: '', problems: [] })
  const key = document?.key
  const path = document?.path
  const text = document?.settled
  const isText = document?.state !== undefined
  useEffect(() => {
    if (key === undefined || path === undefined || text === undefined || !isText) return undefined
    const id = documentId(key, path)
    let current = true
    const show = (problems: Diagnostic[]): void => {
      if (!current) return
      setFound({ id, problems })
      const view = viewOf(id)
      if (view) showProblems(view, problems, (one, now) => fixOf(now, one, folderName), id)
    }
    api.call('editor.check', { key, path, text }).then(
      (all) => show(problemsOf(path, all)),
      () => show([]), // gone: the page itself says so
    )
    return () => {
      current = false
    }
  }, [key, path, text, isText, folderName])
  return document && found.id === documentId(document.key, document.path) ? found.problems : NONE
}

const NONE: readonly Diagnostic[] = []
