import { foldName } from '@shared/skill-md/skill-name'
import type { Resolved } from '../../skills/registry/resolve'

/** A skill that a person names in a message, to be loaded before the model answers (`runtime.md` 6, Invocation). */
export interface Invocation {
  name: string
  /** What stands behind `/name`; left out where nothing does. */
  args?: string
}

export interface Invocations {
  found: Invocation[]
  /** Why a `/word` at the start is sent as text and nothing else, for the person; null when there is nothing to say. */
  note: string | null
}

/** More names than can be active are text. */
const MAX_NAMED = 10
const MAX_ARGS = 10_000

/**
 * `/name args` at the start and `@name` anywhere behind white space. Only names of skills that persons may call here
 * count; everything else stays words. `resolve` tells what a name means.
 */
export function readInvocations(text: string, resolve: (name: string) => Resolved): Invocations {
  const slash = /^\s*\/([^\s/]+)(?:[ \t]+|\s*\n|\s*$)([\s\S]*)$/.exec(text)
  const called = slash ? resolve(slash[1]!) : null
  const note = called ? noteOf(slash![1]!, called) : null
  const isCalled = called !== null && mayCall(called)
  const args = slash?.[2]?.trim().slice(0, MAX_ARGS)
  const first: Invocation[] = isCalled ? [{ name: slash![1]!, ...(args ? { args } : {}) }] : []
  const mentions = [...text.matchAll(/(?<=^|\s)@([^\s@]+(?:@[^\s@]+)?)/g)].slice(0, MAX_NAMED)
  const named = mentions.flatMap(([, word = '']) => {
    const name = [word, word.replace(/[.,;:!?)\]'"]+$/, '')].find((candidate) => mayCall(resolve(candidate)))
    return name === undefined ? [] : [{ name }]
  })
  return { found: once([...first, ...named]), note }
}

function mayCall(found: Resolved): boolean {
  const record = found.ok ? found.record : found.byHand
  return record?.userInvocable === true
}

function noteOf(name: string, found: Resolved): string | null {
  if (!found.ok && found.code === 'not_found') {
    return `There is no skill "${name}" here. Your message was sent as text.`
  }
  if (mayCall(found)) return null
  if (!found.ok) return `${found.message} Your message was sent as text.`
  return `Only agents can load "${name}". Your message was sent as text.`
}

function once(named: readonly Invocation[]): Invocation[] {
  return named.filter(
    ({ name }, at) => named.findIndex((other) => foldName(other.name) === foldName(name)) === at,
  )
}
