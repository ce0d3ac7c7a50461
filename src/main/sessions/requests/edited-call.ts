import type { RequestPlan } from '@shared/domain/approval'
import type { CallEdit } from '@shared/domain/call-edit'
import type { Envelope } from '@shared/domain/session'
import { AppError } from '@shared/errors'
import type { CallRow } from '../../db/call-rows'

/**
 * The call with what a person wants in place of what it asks for. Of a script the arguments can be changed, of a
 * command its text, and whether it runs as a full-screen program; of a script it can be wanted that its packages are
 * prepared first. An edit before this one holds where this one says nothing. Throws for everything else.
 */
export function afterEdit(call: CallRow, { kind }: RequestPlan, edit: CallEdit): CallRow {
  const { args, command } = edit
  const fits = kind === 'script' ? command === undefined : kind === 'shell' && !args && !edit.prepare
  if (fits && Object.keys(edit).length > 0) return { ...call, edited: { ...call.edited, ...edit } }
  throw new AppError(
    'bad_input',
    'Only the arguments of a script and the text of a command can be changed. Deny the request and say what you want instead.',
  )
}

/** A script's input, with the arguments that a person gave in place of its own. */
export function withOwnArgs<I extends { args: string[] }>({ edited }: CallRow, input: I): I {
  return edited?.args ? { ...input, args: edited.args } : input
}

/** A command's input, with the text that a person gave in place of its own. */
export function withOwnCommand<I extends { command: string }>({ edited }: CallRow, input: I): I {
  return edited?.command === undefined ? input : { ...input, command: edited.command }
}

/** Whether a person wants it to run as a full-screen program: only they can, and only this request. */
export function asFullScreen({ edited }: CallRow): { fullScreen?: true } {
  return edited?.fullScreen === true ? { fullScreen: true } : {}
}

/** The result of a call that a person changed says so, so that the model knows what was asked for in the end. */
export function withEditNote({ edited }: CallRow, envelope: Envelope): Envelope {
  const { command, args, fullScreen } = edited ?? {}
  const parts = [
    ...(command === undefined ? [] : [`the command is ${JSON.stringify(command)}`]),
    ...(args ? [`the arguments are ${JSON.stringify(args)}`] : []),
    ...(fullScreen ? ['it ran as a full-screen program'] : []),
  ]
  if (parts.length === 0) return envelope
  return { ...envelope, note: `The person changed this call before answering it: ${parts.join(', and ')}.` }
}
