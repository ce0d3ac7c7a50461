import folders from '../../resources/agent-folders.json' with { type: 'json' }

/** Ids of all tools in the map of folders (`management.md` 1.1), in its order. */
export function toolIds(): string[] {
  return folders.tools.map(({ id }) => id)
}
