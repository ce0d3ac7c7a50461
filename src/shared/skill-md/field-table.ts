import { plainKey } from './field-reader'

/** What Satchel does with a key of the frontmatter today. */
export interface FieldUse {
  /** `acts`: decides by it. `shows`: on the page of the skill. `keeps`: only as it stands in the file. */
  use: 'acts' | 'shows' | 'keeps'
  /** One sentence for people. */
  what: string
}

const acts = (what: string): FieldUse => ({ use: 'acts', what })
const shows = (what: string): FieldUse => ({ use: 'shows', what })
/** Read and, for some, checked, but nothing goes by it. */
const notYet = shows('Shown; Satchel does not act on it yet.')
const keeps = (what: string): FieldUse => ({ use: 'keeps', what })

/**
 * The keys that Satchel knows, in the order of the documents (`format.md` 2.2 and 3); a key with a dot lies in a map.
 * Every other key is kept, not used: `fieldUse` says so.
 */
export const FIELDS: Readonly<Record<string, FieldUse>> = {
  name: acts(
    'The handle that people and agents call the skill by; without a legal one, the name of its folder.',
  ),
  description: acts('Tells agents when to choose the skill; without it the skill is broken.'),
  license: shows('Shown with the skill; filters find it.'),
  compatibility: acts('Shown; programs it names and this computer lacks are a problem.'),
  metadata: shows('Shown as a tree, with any nesting.'),
  'metadata.internal': notYet,
  'metadata.author': shows('Stands in for "author".'),
  'metadata.version': notYet,
  'metadata.category': notYet,
  'metadata.openclaw.requires': acts(
    'Programs and variables that are missing here are a problem of the skill.',
  ),
  'metadata.openclaw.os': acts('Another operating system than these is a problem of the skill.'),
  'metadata.openclaw.always': acts('Its needs are not checked.'),
  'metadata.openclaw.primaryEnv': acts('Asked for as a secret.'),
  'metadata.openclaw.envVars': acts('Asked for as secrets.'),
  'metadata.openclaw.emoji': notYet,
  'metadata.openclaw.homepage': notYet,
  'metadata.openclaw.skillKey': notYet,
  'metadata.openclaw.install': keeps('Nothing is installed from it.'),
  'allowed-tools': acts('While the skill is active only these tools can be called; it approves nothing.'),
  'disallowed-tools': notYet,
  when_to_use: notYet,
  'disable-model-invocation': acts('Agents are not offered the skill; people can still use it.'),
  'user-invocable': acts('When false, people are not offered it as a command.'),
  'argument-hint': acts('Shown beside the skill where people call it in a message.'),
  arguments: notYet,
  priority: acts('The higher one wins among copies with the same name in one scope.'),
  scope: acts('For which tenants and environments it is; elsewhere it is unavailable.'),
  'scope.agents': acts('Only these agents can use the skill.'),
  'scope.tenants': acts('The skill is unavailable for other tenants.'),
  'scope.environments': acts('The skill is unavailable in other environments.'),
  tags: acts('Found by search and filters.'),
  triggers: notYet,
  requires: acts(
    'A hint to load these skills first; one that is missing is a problem. A map is kept, not used.',
  ),
  paths: notYet,
  model: acts(
    'Answers while the skill is active, if it is no dearer or the person agrees; never of another provider.',
  ),
  effort: notYet,
  context: acts('With "fork" a chat of its own follows the skill, and only its result comes back.'),
  agent: acts('Whose role a fork takes; nothing without "context: fork".'),
  background: notYet,
  'hooks.pre': acts(
    'Runs before the skill is loaded, after a person allowed it; a failure refuses the load.',
  ),
  'hooks.post': acts('Runs when the skill is unloaded or the turn ends, after a person allowed it.'),
  hooks: keeps('Other shapes than "pre" and "post" belong to other tools and are not run.'),
  shell: keeps('Commands in the text are never run by themselves.'),
  'execution.sandbox': acts(
    'With "read-only" its scripts write nothing; it can only narrow what the person set.',
  ),
  'execution.allowed-paths': acts('Its scripts write to these places of the project only.'),
  'execution.network': acts(
    'Scripts have no network; a host that is listed can be allowed in the review of a run.',
  ),
  'execution.secrets': acts('Asked for by name; a script gets what the person gave to these contents.'),
  version: notYet,
  author: shows('Shown with the skill; filters find it.'),
  homepage: notYet,
  source: notYet,
  category: notYet,
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
export function fieldUse(key: string): FieldUse {
  const plain = plainKey(key)
  const found = USES.get(plain)
  if (found) return found
  for (const [known, use] of USES) if (known.startsWith(`${plain}.`)) return use
  return OTHER
}
