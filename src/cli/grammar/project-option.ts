import type { OptionSpec } from './command'

/** Of every command that looks at skills from a place. */
export const PROJECT: OptionSpec = {
  name: 'project',
  value: 'dir',
  help: 'As seen from this folder; without it from the current one.',
}
