import { plainKey } from './field-reader'

/** What Satchel does with a key of the frontmatter. */
export interface FieldUse {
  /** `acts`: decides by it. `shows`: on the page of the skill. `keeps`: only as it stands in the file. */
  use: 'acts' | 'shows' | 'keeps'
  /** One sentence for people. */
  what: string
}

const acts = (what: string): FieldUse => ({ use: 'acts', what })
const shows = (what: string): FieldUse => ({ use: 'shows', what })
const keeps = (what: string): FieldUse => ({ use: 'keeps', what })

/**
 * The keys that Satchel knows, in the order of the documents (`format.md` 2.2 and 3); a key with a dot lies in a map.
 * Every other key is kept, not used: `useOf` says so.
 */
export const FIELDS: Readonly<Record<string, FieldUse>> = {
  name: acts(
    'The handle that people and agents call the skill by; without a legal one, the name of its folder.',
  ),
  description: acts('Tells agents when to choose the skill; without it the skill is broken.'),
  license: shows('Shown with the skill.'),
  compatibility: acts('Shown; programs it names and this computer lacks are a problem.'),
  metadata: shows('Shown as a tree, with any nesting.'),
  'metadata.internal': acts('Hides the skill from lists until internal skills are asked for.'),
  'metadata.author': shows('Stands in for "author".'),
  'metadata.version': shows('Stands in for "version".'),
  'metadata.category': shows('Stands in for "category".'),
  'metadata.openclaw.requires': acts(
    'Programs and variables that are missing here are a problem of the skill.',
  ),
  'metadata.openclaw.os': acts('Another operating system than these is a problem of the skill.'),
  'metadata.openclaw.always': acts('Its needs are not checked.'),
  'metadata.openclaw.primaryEnv': acts('A variable that the skill may ask for; asking grants nothing.'),
  'metadata.openclaw.envVars': acts('Variables that the skill may ask for; asking grants nothing.'),
  'metadata.openclaw.emoji': shows('Shown with the name.'),
  'metadata.openclaw.homepage': shows('A link, where it is a web address.'),
  'metadata.openclaw.skillKey': shows('Shown as it is.'),
  'metadata.openclaw.install': keeps('Nothing is installed from it.'),
  'allowed-tools': acts('While the skill is active only these tools can be called; it approves nothing.'),
  'disallowed-tools': acts('While the skill is active these tools can not be called.'),
  when_to_use: acts('Stands behind the description in the catalogue.'),
  'disable-model-invocation': acts('Agents are not offered the skill; people can still use it.'),
  'user-invocable': acts('When false, people are not offered it as a command.'),
  'argument-hint': shows('Shown behind its command.'),
  arguments: acts('Names for the arguments of its command, in order.'),
  priority: acts('The higher one wins among copies with the same name in one scope.'),
  'scope.agents': acts('The skill is unavailable to other agents.'),
  'scope.tenants': acts('The skill is unavailable for other tenants.'),
  'scope.environments': acts('The skill is unavailable in other environments.'),
  tags: acts('Found by search and filters.'),
  triggers: acts('Found by search.'),
  requires: acts(
    'A hint to load these skills first; one that is missing is a problem. A map is kept, not used.',
  ),
  paths: acts('Files that the skill is for: it is put forward when they are worked on.'),
  model: acts('The model for the turn in which the skill is active, where it may be used.'),
  effort: acts('How much the model thinks in that turn.'),
  context: acts('"fork" runs the skill in a chat of its own, from which only the result comes back.'),
  agent: acts('The agent of that chat; without "context: fork" it is a problem.'),
  background: acts('Whether the chat of a fork goes on by itself.'),
  'hooks.pre': acts('Scripts that are asked for, like any run, before the skill becomes active.'),
  'hooks.post': acts('Scripts that are asked for, like any run, when the skill is unloaded.'),
  hooks: keeps('Other shapes than "pre" and "post" belong to other tools and are not run.'),
  shell: keeps('Commands in the text are never run by themselves.'),
  'execution.sandbox': acts('Narrows the sandbox of its scripts; it never widens it.'),
  'execution.allowed-paths': acts('Narrows the folders its scripts can use; it never widens them.'),
  'execution.network': acts('Narrows what its scripts can reach: "none", "restricted" or hosts.'),
  'execution.secrets': acts('Variables that its scripts ask for by name; asking grants nothing.'),
  version: shows('Shown with the skill.'),
  author: shows('Shown with the skill.'),
  homepage: shows('A link, where it is a web address.'),
  source: shows('Shown with the skill.'),
  category: shows('Shown with the skill.'),
  dependencies: shows('Shown with the skill; nothing is installed from it.'),
  install: keeps('Nothing is installed from it.'),
  'command-dispatch': keeps('A command always goes to the agent.'),
  'command-tool': keeps('A command always goes to the agent.'),
  'command-arg-mode': keeps('A command always goes to the agent.'),
}

const USES: ReadonlyMap<string, FieldUse> = new Map(
  Object.entries(FIELDS).map(([key, use]) => [plainKey(key), use]),
)
const OTHER: FieldUse = keeps('Kept, not used.')

/** What Satchel does with a key, in any spelling; for a map with known parts such as `scope` what it does with those. */
export function useOf(key: string): FieldUse {
  const plain = plainKey(key)
  const found = USES.get(plain)
  if (found) return found
  for (const [known, use] of USES) if (known.startsWith(`${plain}.`)) return use
  return OTHER
}
