import { dialog } from 'electron'
import { AppError, isNoSpace, toWire } from '@shared/errors'

/** Asks before scripts are stopped; true for quitting. */
export async function askQuit(question: string): Promise<boolean> {
  const { response } = await dialog.showMessageBox({
    type: 'question',
    message: question,
    detail: 'What the scripts have written so far stays. The chats go on from here next time.',
    buttons: ['Stop and quit', 'Stay'],
    defaultId: 1,
    cancelId: 1,
  })
  return response === 0
}

/** Asks what to do with a page that can not be kept alive; true for trying again. */
export async function askReload(reason: string): Promise<boolean> {
  const { response } = await dialog.showMessageBox({
    type: 'error',
    message: 'The window stopped working several times.',
    detail: `Nothing was lost: everything is saved outside of the window. Reason: ${reason}.`,
    buttons: ['Try again', 'Quit'],
    defaultId: 0,
    cancelId: 1,
  })
  return response === 0
}

/** What to tell when the app could not start. */
export function startErrorText(error: unknown): string {
  if (error instanceof AppError || isNoSpace(error)) return toWire(error).message
  return error instanceof Error ? error.message : String(error)
}

/**
 * Tells why the app could not start: on stderr, and in a box where somebody can click it away. The box leaves the
 * process free to hear a signal meanwhile.
 */
export async function showStartError(error: unknown, isTest: boolean): Promise<void> {
  const text = startErrorText(error)
  process.stderr.write(`Satchel could not start: ${text}\n`)
  if (isTest) return
  await dialog.showMessageBox({
    type: 'error',
    message: 'Satchel could not start.',
    detail: text,
    buttons: ['Quit'],
  })
}
