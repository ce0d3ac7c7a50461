import type { LensClientId } from './clients'
import { keyPlace } from './facts'
import type { LensFacts, LensPlace } from './facts'
import type { LensRule, Saying } from './rules'

const fine = (text: string): Saying => ({ effect: 'fine', text })
const loss = (text: string): Saying => ({ effect: 'loss', text })
const UNKNOWN: Saying = { effect: 'unknown', text: 'Not verified.' }

/** Of these three the fields that they act on were read; of the others nobody looked (`format.md` 3). */
type Known = Extract<LensClientId, 'claude-code' | 'codex' | 'mux'>

/** What becomes of a field that acts in Satchel or elsewhere; left out: it is ignored there. */
interface FieldRule {
  keys: readonly string[]
  says: Partial<Record<Known, Saying>>
  /** What being ignored means. */
  ignored: string
}

const FIELDS: readonly FieldRule[] = [
  {
    keys: ['allowed-tools'],
    says: {
      'claude-code': loss(
        'allowed-tools lets these tools run without asking for that turn; it doesn’t restrict the others.',
      ),
    },
    ignored: 'Ignores allowed-tools: all tools stay available.',
  },
  {
    keys: ['disallowed-tools'],
    says: { 'claude-code': fine('disallowed-tools: takes these tools away until the next message.') },
    ignored: 'Ignores disallowed-tools.',
  },
  {
    keys: ['disable-model-invocation'],
    says: {
      'claude-code': fine('disable-model-invocation: hidden from the model.'),
      mux: fine('disable-model-invocation: not advertised to the model.'),
      codex: loss(
        'disable-model-invocation counts only in agents/openai.yaml, as allow_implicit_invocation.',
      ),
    },
    ignored: 'Ignores disable-model-invocation.',
  },
  {
    keys: ['user-invocable'],
    says: {
      'claude-code': fine('user-invocable: false takes it out of the / commands.'),
      mux: fine('user-invocable: acts on it.'),
    },
    ignored: 'Ignores user-invocable.',
  },
  {
    keys: ['argument-hint'],
    says: {
      'claude-code': fine('argument-hint: shown with the command.'),
      mux: fine('argument-hint: shown, up to 200 characters.'),
    },
    ignored: 'Ignores argument-hint.',
  },
  {
    keys: ['when_to_use'],
    says: {
      'claude-code': fine('when_to_use: added to the description in its list.'),
      mux: fine('when_to_use: acts on it, in both spellings.'),
    },
    ignored: 'Ignores when_to_use: only the description counts.',
  },
  {
    keys: ['model', 'effort'],
    says: { 'claude-code': fine('model and effort: used for the turn.') },
    ignored: 'Ignores model and effort.',
  },
  {
    keys: ['context', 'agent'],
    says: { 'claude-code': fine('context: fork runs it in a subagent.') },
    ignored: 'Ignores context and agent: it runs in the same conversation.',
  },
  {
    keys: ['hooks'],
    says: {
      'claude-code': loss('Its hooks have another shape (PreToolUse …); pre and post are not run.'),
    },
    ignored: 'Ignores hooks.',
  },
  {
    keys: ['execution'],
    says: {},
    ignored: 'Ignores execution: its sandbox limits count only in Satchel.',
  },
  {
    keys: ['scope'],
    says: {},
    ignored: 'Ignores scope: every agent can use it.',
  },
  {
    keys: ['requires'],
    says: {},
    ignored: 'Ignores requires.',
  },
]

/** What each program does with the fields of this skill that Satchel or it acts on. */
export const FIELD_RULES: readonly LensRule[] = FIELDS.map(({ keys, says, ignored }) => ({
  id: keys.join(' '),
  title: keys.join(', '),
  when: (facts) => firstKey(facts, keys),
  says: {
    'claude-code': says['claude-code'] ?? loss(ignored),
    codex: says.codex ?? loss(ignored),
    mux: says.mux ?? loss(ignored),
    'gemini-cli': UNKNOWN,
    opencode: UNKNOWN,
    pi: UNKNOWN,
  },
}))

/** What the text itself asks for. */
export const TEXT_RULES: readonly LensRule[] = [
  {
    id: 'command-in-text',
    title: 'Commands in the text',
    when: (facts) => bodyPlace(facts, /!`[^`\n]+`/),
    says: {
      'claude-code': loss('Runs the commands written as !`…` when the skill is loaded; Satchel never does.'),
      codex: UNKNOWN,
      'gemini-cli': UNKNOWN,
      opencode: UNKNOWN,
      mux: loss('Runs whole lines of !`…` only where that was turned on.'),
      pi: UNKNOWN,
    },
  },
  {
    id: 'skill-dir',
    title: 'Placeholder of the folder',
    when: (facts) => bodyPlace(facts, /\$\{CLAUDE_SKILL_DIR\}|\{baseDir\}/),
    says: {
      'claude-code': fine('Puts the folder in the place of ${CLAUDE_SKILL_DIR}.'),
      codex: loss('Leaves the placeholder of the folder as it is; the model is told where the skill lies.'),
      'gemini-cli': loss(
        'Leaves the placeholder of the folder as it is; the model is told where the skill lies.',
      ),
      opencode: loss(
        'Leaves the placeholder of the folder as it is; the model is told where the skill lies.',
      ),
      mux: loss('Leaves the placeholder of the folder as it is; the model is told where the skill lies.'),
      pi: loss('Leaves the placeholder of the folder as it is; the model is told where the skill lies.'),
    },
  },
]

function firstKey(facts: LensFacts, keys: readonly string[]): LensPlace | null {
  for (const key of keys) {
    const place = keyPlace(facts, key)
    if (place) return place
  }
  return null
}

function bodyPlace({ parsed }: LensFacts, pattern: RegExp): LensPlace | null {
  const at = parsed.body.split('\n').findIndex((line) => pattern.test(line))
  return at < 0 ? null : { line: parsed.bodyLine + at }
}
