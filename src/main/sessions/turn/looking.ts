import { findStyleTool } from '../styles/all'

/** Tools that change nothing, neither on the disk nor in the chat. */
const LOOKING = new Set(['skills_list', 'skills_read', 'Read', 'Glob', 'Grep'])

/** True for a tool whose call can be made again at any time: nothing is lost with its row but the look. */
export function onlyLooks(tool: string): boolean {
  const styled = findStyleTool(tool)?.tool.over
  return styled ? styled.every((name) => LOOKING.has(name)) : LOOKING.has(tool)
}
