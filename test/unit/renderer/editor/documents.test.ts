import { history, undo } from '@codemirror/commands'
import { EditorState } from '@codemirror/state'
import { beforeEach, describe, expect, test } from 'vitest'
import type { EditedFile, SaveResult } from '@shared/domain/editing'
import { setApi } from '../../../../src/renderer/api'
import type { Api } from '../../../../src/renderer/api'
import {
  changeText,
  closeDocument,
  dispatch,
  documentId,
  documentOf,
  isDirty,
  keepDraft,
  keepMerged,
  keepMine,
  lookAgain,
  openDocument,
  saveDocument,
  takeTheirs,
  textOf,
} from '../../../../src/renderer/editor/documents'

const ID = documentId('k', 'SKILL.md')
const digest = (text: string) => `sha of ${text}`

/** What main has, and what it was asked. */
let disk: string | null
let draft: EditedFile['draft']
let asked: { name: string; input: Record<string, unknown> }[]

beforeEach(() => {
  disk = 'one\r\ntwo\r\n'
  draft = null
  asked = []
  const answers: Record<string, (input: Record<string, unknown>) => unknown> = {
    'editor.read': (): EditedFile => ({
      text: disk ?? '',
      digest: disk === null ? null : digest(disk),
      whyNot: null,
      draft,
    }),
    'editor.save': ({ text, before }): SaveResult => {
      const now = disk === null ? null : digest(disk)
      if (before !== now) return { t: 'stale', text: disk, digest: now }
      disk = String(text)
      return { t: 'saved', digest: digest(disk) }
    },
    'editor.keepDraft': () => ({}),
    'editor.dropDraft': () => ({}),
  }
  const call = async (name: string, input: Record<string, unknown>) => {
    asked.push({ name, input })
    return answers[name]!(input)
  }
  setApi({ call, stream: () => () => undefined } as unknown as Api)
  closeDocument(ID)
})

const open = () =>
  openDocument('k', 'SKILL.md', ({ form }) => [
    history(),
    ...(form.ends === 'mixed' ? [EditorState.lineSeparator.of('\n')] : []),
  ])
const document = () => documentOf(ID)!
const type = (text: string) => changeText(ID, [{ start: 0, end: 0, text }], 'fix')

describe('an open document', () => {
  test('is saved with the line ends of its file, and not again while nothing changed', async () => {
    await open()
    type('zero\n')
    expect(isDirty(document())).toBe(true)
    await saveDocument(ID)
    expect(disk).toBe('zero\r\none\r\ntwo\r\n')
    expect(isDirty(document())).toBe(false)
    await saveDocument(ID)
    expect(asked.filter(({ name }) => name === 'editor.save')).toHaveLength(1)
  })

  test('is undone across a save, and what was undone can be saved', async () => {
    await open()
    type('zero\n')
    await saveDocument(ID)
    undo({ state: document().state!, dispatch: (transaction) => dispatch(ID, transaction) })
    await saveDocument(ID)
    expect(disk).toBe('one\r\ntwo\r\n')
  })

  test('that nobody typed in follows the disk, and that can be undone too', async () => {
    await open()
    disk = 'theirs\n'
    await lookAgain(ID)
    expect([textOf(document()), isDirty(document())]).toEqual(['theirs\n', false])
    await saveDocument(ID)
    expect(disk).toBe('theirs\n')
  })

  test('that was typed in is neither changed nor saved over another program’s text', async () => {
    await open()
    type('mine\n')
    disk = 'theirs\r\n'
    await lookAgain(ID)
    await saveDocument(ID)
    expect([textOf(document()), disk]).toEqual(['mine\none\ntwo\n', 'theirs\r\n'])
    expect(document().problem).toContain('Nothing was saved')
    expect(document().conflict).toEqual({ text: 'theirs\r\n', digest: digest('theirs\r\n') })
    keepMine(ID, document().conflict!)
    await saveDocument(ID)
    expect([disk, document().conflict, document().problem]).toEqual(['mine\r\none\r\ntwo\r\n', null, ''])
  })

  test('a merge of two texts writes nothing over a third one that came meanwhile', async () => {
    await open()
    type('mine\n')
    disk = 'theirs\r\n'
    await lookAgain(ID)
    const seen = document().conflict!
    disk = 'third\r\n'
    await lookAgain(ID)
    keepMerged(ID, 'mine and theirs\n', seen)
    expect(document().conflict).toEqual({ text: 'third\r\n', digest: digest('third\r\n') })
    await saveDocument(ID)
    expect([disk, isDirty(document())]).toEqual(['third\r\n', true])
  })

  test('takes theirs where that is chosen, and mine comes back by undo', async () => {
    await open()
    type('mine\n')
    disk = 'theirs\r\n'
    await lookAgain(ID)
    takeTheirs(ID, document().conflict!)
    expect([textOf(document()), isDirty(document())]).toEqual(['theirs\n', false])
    undo({ state: document().state!, dispatch: (transaction) => dispatch(ID, transaction) })
    expect(textOf(document())).toBe('mine\none\ntwo\n')
  })

  test('has what was found of an earlier day, and saves it over the file that it was typed over only', async () => {
    draft = { text: 'typed\r\n', before: digest('older'), keptAt: 1 }
    await open()
    expect([textOf(document()), isDirty(document())]).toEqual(['typed\n', true])
    expect(document().conflict).not.toBeNull()
    await saveDocument(ID)
    expect(disk).toBe('one\r\ntwo\r\n')
  })

  test('keeps what is typed with the file it is typed over, and forgets it when it is undone', async () => {
    await open()
    type('mine\n')
    await keepDraft(ID)
    expect(asked.at(-1)).toEqual({
      name: 'editor.keepDraft',
      input: { key: 'k', path: 'SKILL.md', text: 'mine\r\none\r\ntwo\r\n', before: digest('one\r\ntwo\r\n') },
    })
    undo({ state: document().state!, dispatch: (transaction) => dispatch(ID, transaction) })
    await keepDraft(ID)
    expect(asked.at(-1)!.name).toBe('editor.dropDraft')
  })

  test('of mixed line ends keeps each of them', async () => {
    disk = 'a\r\nb\nc\r'
    await open()
    changeText(ID, [{ start: 5, end: 5, text: 'X' }], 'fix')
    await saveDocument(ID)
    expect(disk).toBe('a\r\nb\nXc\r')
  })
})
