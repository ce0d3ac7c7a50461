import { isAbsolute, win32 } from 'node:path'
import { z } from 'zod'
import { RuleMatch } from '@shared/domain/rule'
import { Scope } from '@shared/domain/skill'
import { parseHost } from '@shared/network-host'
import { isRuleTool, REQUEST_WORDS } from '@shared/request-kinds'
import { foldName } from '@shared/skill-md/skill-name'
import { plainWords } from './plain-words'
import { didYouMean } from './policy-spelling'

export const text = z.string().trim().min(1).max(500)

/** The name of a scope, in any case. */
export const ScopeName = text.transform((written, context) => {
  const scope = Scope.safeParse(foldName(written))
  if (scope.success) return scope.data
  context.addIssue({ code: 'custom', message: noScope(written) })
  return z.NEVER
})

/**
 * What is asked for or never remembered: a kind of requests, `tool:NAME`, `scope:SCOPE` or `skill:NAME`. In the one
 * spelling that requests are compared with.
 */
export const AskEntry = text.transform((written, context) => {
  const [, prefix = '', rest = ''] = /^(tool|scope|skill)\s*:\s*(.+)$/is.exec(written) ?? []
  const entry = prefix === '' ? wordOf(written) : prefixed(prefix.toLowerCase(), rest)
  if (typeof entry === 'string') return entry
  context.addIssue({ code: 'custom', message: entry.why })
  return z.NEVER
})

type Entry = string | { why: string }

function wordOf(written: string): Entry {
  const word = written.toLowerCase().replaceAll('_', '-')
  if (REQUEST_WORDS.includes(word)) return word
  const hint = word === 'all' ? ' Did you mean everything?' : didYouMean(word, REQUEST_WORDS)
  return { why: `Nothing that is asked for is called "${written}".${hint}` }
}

function prefixed(prefix: string, rest: string): Entry {
  if (prefix === 'skill') return `skill:${foldName(rest)}`
  if (prefix === 'tool') return isRuleTool(rest) ? `tool:${rest.toLowerCase()}` : { why: noTool(rest) }
  const scope = Scope.safeParse(foldName(rest))
  return scope.success ? `scope:${scope.data}` : { why: noScope(rest) }
}

function noScope(written: string): string {
  return `There is no scope "${written}".${didYouMean(written, Scope.options)}`
}

function noTool(written: string): string {
  const known = ['Bash', 'Write', 'Edit', 'skills_run_script', 'mcp__server']
  return `Nobody is asked for a tool "${written}".${didYouMean(written, known)}`
}

/** Which skills an entry of a list means. */
export const SkillRule = z
  .union(
    [
      /** `name`, `*@scope` or `name@scope`. */
      text,
      z.strictObject({ name: text, digest: text }),
      z.strictObject({ digest: text }),
      z.strictObject({ source: text }),
    ],
    { error: 'An entry is a name, name@scope, or {name, digest}, {digest} or {source}.' },
  )
  .superRefine((rule, context) => {
    const message = whyNoSkill(rule)
    if (message !== null) context.addIssue({ code: 'custom', message })
  })
export type SkillRule = z.infer<typeof SkillRule>

function whyNoSkill(rule: string | { name?: string; digest?: string; source?: string }): string | null {
  if (typeof rule === 'string') return whyNoName(rule)
  if (rule.name?.includes('*')) return noPattern(rule.name)
  if (rule.digest === undefined || /^(?:sha256:)?[0-9a-f]{64}$/i.test(rule.digest)) return null
  return 'A digest is sha256: and 64 hexadecimal digits, as "satchel skills digest" prints it.'
}

function whyNoName(written: string): string | null {
  const [name = '', scope, ...more] = written.split('@')
  const isName = name === '*' || (name !== '' && !name.includes('*'))
  if (!isName || more.length > 0) return noPattern(written)
  return scope === undefined || Scope.safeParse(foldName(scope)).success ? null : noScope(scope)
}

function noPattern(written: string): string {
  return `"${written}" names no skill: a star stands only for every name, as in *@plugin.`
}

/** A rule that denies or asks. Those by fingerprint or by what the editor saved allow, and none here may. */
export const StrictRule = z
  .strictObject({
    effect: z.enum(['deny', 'ask']),
    shape: text,
    match: z.record(z.string(), z.unknown()),
    reason: text.optional(),
  })
  .superRefine(({ shape, match }, context) => {
    const known = RuleMatch.options.filter(
      ({ shape: fields }) => !('fingerprint' in fields) && !('digests' in fields),
    )
    const option = known.find((each) => each.shape.shape.value === shape)
    if (!option) {
      const shapes = known.map((each) => each.shape.shape.value)
      const message = `There is no shape "${shape}", but ${shapes.join(', ')}.`
      context.addIssue({ code: 'custom', path: ['shape'], message })
      return
    }
    const parsed = option.strict().safeParse({ ...match, shape }, { error: plainWords })
    for (const { path, message } of parsed.error?.issues ?? []) {
      context.addIssue({ code: 'custom', path: ['match', ...path], message })
    }
    const { tool } = match
    const { words: begin } = match
    if (shape === 'command' && Array.isArray(begin)) {
      const message = whyNoWords(begin)
      if (message !== null) context.addIssue({ code: 'custom', path: ['match', 'words'], message })
    }
    if (shape === 'tool' && typeof tool === 'string' && !isRuleTool(tool))
      context.addIssue({ code: 'custom', path: ['match', 'tool'], message: noTool(tool) })
  })

/** Words are compared one by one: what holds white space would be none that a command begins with. */
function whyNoWords(words: readonly unknown[]): string | null {
  const texts = words.filter((word) => typeof word === 'string')
  if (!texts.some((word) => /\s/.test(word))) return null
  const meant = texts.flatMap((word) => word.split(/\s+/)).filter((word) => word !== '')
  return `Each word stands for itself. Did you mean ${JSON.stringify(meant)}?`
}

/** A host as `network.allow` may name it. */
export const HostEntry = text.refine((host) => parseHost(host) !== null, {
  error: 'This is no host that can be allowed: a name, *.name, and a port if it is not 443.',
})

/** The same place whoever starts the app, wherever. */
export const AbsolutePath = text.refine((path) => isAbsolute(path) || win32.isAbsolute(path), {
  error: 'This must be a whole path, from the top.',
})
