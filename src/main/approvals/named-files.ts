/**
 * True when a command may mean a file of a skill: one of its words, or a part of one, is the file's name. Rather one file
 * too many is shown than one too few; what a pattern (`*.sh`) or a variable stands for is not known.
 */
export function isNamedIn(command: string, path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1)
  return command.includes(name) || command.replaceAll(/["'\\]/g, '').includes(name)
}
