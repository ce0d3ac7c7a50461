import { z } from 'zod'
import { AppError } from '@shared/errors'
import { applyEdits } from '../../workspace/text-file'
import { changeFile, prepareEdit, type WantedEdit } from './file-edit'
import { defineTool, type Tool } from './tool'

const One = z.object({
  old_string: z.string().min(1).max(200_000).describe('The text as it stands in the file.'),
  new_string: z.string().max(200_000).describe('What stands there instead.'),
  replace_all: z.boolean().default(false).describe('Every place; else old_string must occur once.'),
})
const Input = z
  .object({
    file_path: z.string().min(1).max(4096).describe('Relative to the project.'),
    ...One.partial().shape,
    edits: z.array(One).min(1).max(100).optional().describe('Several changes at once, made in order.'),
  })
  .superRefine((input, context) => {
    if (input.edits !== undefined) return
    for (const name of ['old_string', 'new_string'] as const) {
      if (input[name] !== undefined) continue
      context.addIssue({ code: 'custom', message: `Missing required parameter: ${name}`, path: [] })
    }
  })

/** Parts of a file that was read before; all of them or none. */
export const editFileTool: Tool & { input: typeof Input } = {
  ...defineTool(
    {
      name: 'Edit',
      description:
        'Replaces text in a file of the project that was read before: old_string by new_string, or several edits. A person reviews the change first.',
      input: Input,
    },
    (context, input) => changeFile(context, wantedOf(input)),
  ),
  prepare: (asked, input) => prepareEdit(asked, wantedOf(Input.parse(input))),
}

function wantedOf(input: z.output<typeof Input>): WantedEdit {
  const { file_path, old_string = '', new_string = '', replace_all = false } = input
  const edits = input.edits ?? [{ old_string, new_string, replace_all }]
  return {
    file_path,
    next(before, path) {
      if (before !== null) return applyEdits(path, before, edits)
      throw new AppError('not_found', `There is no file "${path}". Use Write to make it.`)
    },
  }
}
