import type { ArrangeEffect } from '@shared/domain/arranging'
import { SCOPE_NAMES } from '@shared/scope-names'
import type { Operation } from './journal'

/** What is said after an operation. */
export function doneText(
  { kind, was, name, undoes, put }: Operation,
  effects: readonly ArrangeEffect[],
): string {
  if (undoes !== null) return undoneText({ kind, was, name, put })
  if (kind !== 'delete') return `${DONE[kind]} ${kind === 'rename' ? `${was} to ${name}` : name}.`
  const instead = effects.find(
    ({ before, after }) => before !== null && after !== null && !same(before, after),
  )
  const now = instead?.after ? ` The ${SCOPE_NAMES[instead.after.scope]} copy is used now.` : ''
  return `Deleted ${name}.${now}`
}

const DONE = {
  create: 'Made',
  duplicate: 'Duplicated it as',
  rename: 'Renamed',
  copy: 'Copied',
  move: 'Moved',
  restore: 'Restored',
} as const

function undoneText({ kind, was, name, put }: Pick<Operation, 'kind' | 'was' | 'name' | 'put'>): string {
  if (kind === 'move') return `Moved ${name} back.`
  if (kind === 'rename') return `${was} is called ${name} again.`
  return put ? `${name} is back.` : `${was} is in the trash.`
}

function same(one: { location: string }, other: { location: string }): boolean {
  return one.location === other.location
}
