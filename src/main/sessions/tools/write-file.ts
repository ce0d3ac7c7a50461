import { z } from 'zod'
import { withLineEnds } from '../../workspace/text-file'
import { changeFile, prepareEdit, type WantedEdit } from './file-edit'
import { defineTool, type Tool } from './tool'

const Input = z.object({
  file_path: z.string().min(1).max(4096).describe('Relative to the project. Folders that miss are made.'),
  content: z.string().max(1_000_000).describe('The whole text of the file.'),
})

/** A new file, or all of one that was read before. */
export const writeFileTool: Tool & { input: typeof Input } = {
  ...defineTool(
    {
      name: 'Write',
      description:
        'Writes a whole text file of the project. One that exists must have been read before; to change parts of it use Edit. A person reviews the change first.',
      input: Input,
    },
    (context, input) => changeFile(context, wantedOf(input)),
  ),
  prepare: (asked, input) => prepareEdit(asked, wantedOf(Input.parse(input))),
}

function wantedOf({ file_path, content }: z.output<typeof Input>): WantedEdit {
  return { file_path, next: (before) => (before === null ? content : withLineEnds(before, content)) }
}
