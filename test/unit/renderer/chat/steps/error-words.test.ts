import { describe, expect, test } from 'vitest'
import { refusalText } from '../../../../../src/main/sessions/gate/gate'
import { errorWords } from '../../../../../src/renderer/chat/steps/error-words'

describe('errorWords', () => {
  test.each([
    ['What it printed until then is in "partial".'],
    ['skills_read lists its files.'],
    ['Call skills_read without a path for the list.'],
    ['Tell the person.'],
    ['Ask the person to look at what it did.'],
    ['Load it again.'],
  ])('leaves out "%s", which is meant for the model', (sentence) => {
    expect(errorWords('stale', `It changed. ${sentence}`)).toBe('It changed.')
  })

  test('a reason that names a tool is kept', () => {
    const error = `Nothing was loaded. ${refusalText('skills_run_script', 'jam')}`
    expect(errorWords('hook_failed', error)).toContain('skills_run_script')
  })

  test('keeps what is left when everything is meant for the model', () => {
    expect(errorWords('stale', 'Tell the person.')).toBe('Tell the person.')
  })

  test('a link that leaves the skill gets the advice for it', () => {
    expect(errorWords('path_escape', '"out.sh" is a link that leaves the skill')).toBe(
      '"out.sh" is a link that leaves the skill. Replace the link by a copy of the file.',
    )
  })

  test('an escape that is no link gets no advice about links', () => {
    expect(errorWords('path_escape', '"../x" leaves the folder.')).toBe('"../x" leaves the folder.')
  })

  test('advice that the error already gives is not given twice', () => {
    const error = '"out.sh" is a link that leaves the skill. Replace the link by a copy of the file.'
    expect(errorWords('path_escape', error)).toBe(error)
  })

  test('a name with dots is not taken apart', () => {
    expect(errorWords('no_interpreter', 'No program runs ".qqq" files. Rename a.b.qqq to a.py.')).toBe(
      'No program runs ".qqq" files. Rename a.b.qqq to a.py.',
    )
  })

  test.each([
    [
      'sandbox_failed',
      'The sandbox could not be started. Tell the person; Settings shows the reason.',
      'The sandbox could not be started. Settings says why, under “Sandbox and runs”.',
    ],
    [
      'internal',
      'The disk is full. Tell the person to free some space.',
      'The disk is full. Free some space, then try again.',
    ],
    ['internal', 'Satchel hit an error of its own. Tell the person.', 'Satchel hit an error of its own.'],
  ])('%s: what the model should pass on is said in its own words', (code, error, words) => {
    expect(errorWords(code, error)).toBe(words)
  })

  test('a file that a skill does not have gets the advice for skills', () => {
    expect(errorWords('not_found', '"jam" has no file "a.md". Glob lists its files.')).toContain(
      'Add the file to the skill',
    )
  })

  test.each([
    'There is no file "notes.txt" in the project. Glob lists what there is.',
    'old_string does not occur in "notes.txt". Read the file again and give the text exactly as it stands there.',
  ])('what a tool of the project did not find gets no advice about skills: %s', (error) => {
    expect(errorWords('not_found', error)).toBe(error)
  })

  test('an empty error of a known kind still says what to do', () => {
    expect(errorWords('not_trusted', '')).toBe('Trust the project to run its scripts.')
  })

  test('an empty error of an unknown kind stays empty', () => {
    expect(errorWords('other', '')).toBe('')
  })
})
