import { basename, dirname, join } from 'node:path'
import type {
  ArrangeDone,
  ArrangeEffect,
  ArrangePlan,
  ArrangeRequest,
  SkillPlace,
  TrashEntry,
} from '@shared/domain/arranging'
import { canonicalJson } from '@shared/canonical-json'
import { AppError } from '@shared/errors'
import { whyNoName } from '@shared/skill-md/skill-name'
import { takeLease } from '../db/lease'
import { sha256 } from '../lib/hash'
import { newId } from '../lib/ids'
import type { Log } from '../lib/log'
import { createJournal } from './journal'
import type { Operation } from './journal'
import { lookAtPlace } from './look'
import type { Wanted } from './look'
import { carryOut, settle, writeRecord } from './operation'
import type { Context, NewFile, Source } from './operation'
import { planOf } from './plan'
import type { Facts, Planned, SkillFacts, Work } from './plan'
import { nameEdit } from './skill-name-edit'
import { createTrash, TRASH_MS, type Kept } from './trash'
import { readTree } from './tree'
import { wentTo } from './went-to'
import { doneText } from './words'

/** A request as seen from a project (or from none). */
export interface Arrange {
  projectDir: string | null
  request: ArrangeRequest
}

/** Everything that writes skill folders (M4): planned, shown, journalled, done, and undone for 30 days. */
export interface Arranging {
  /** What would be done; looks at the disk and writes nothing. */
  plan(input: Arrange): Promise<ArrangePlan>
  /** Does what was shown. Throws `stale` when it would be something else by now, and what the plan refuses. */
  do(input: Arrange & { planHash: string }): Promise<ArrangeDone>
  /** Takes a done operation back. Throws `not_found`, `stale` when the skill was changed since. */
  undo(id: string): Promise<ArrangeDone>
  /** The last operation that can be taken back. */
  last(): ArrangeDone | null
  trash(): TrashEntry[]
  /** Where a folder is that was renamed or moved since then (milliseconds), by any program on the data; null: it was not. */
  wentTo(path: string, since: number): string | null
  /** Removes one for good. */
  empty(trashId: string): Promise<void>
  /** At start: finishes or takes back what a crash broke off, and empties what is older than 30 days. Never throws. */
  recover(): Promise<void>
}

export interface ArrangingDeps {
  /** Holds `arranging/`, the journal, and `trash/`. */
  dataDir: string
  now(): number
  log: Log
  skill(projectDir: string | null, key: string): SkillFacts | null
  /** The folder that a skill lies in. */
  holding(projectDir: string | null, key: string): Wanted | null
  /** Null: there is none here. */
  place(projectDir: string | null, place: SkillPlace): Wanted | null
  /** Where something from the trash came from. */
  former(path: string): Wanted
  template(id: string, skill: { name: string; description: string }): readonly NewFile[] | null
  /** What another copy, or one fewer, changes about the used one. */
  effects(input: Arrange): ArrangeEffect[]
  digestOf(dir: string): Promise<string | null>
  /** Puts a done operation on record. */
  record(operation: Operation): void
  /** Skill folders are others now. */
  changed(operation: Operation): Promise<void>
}

interface State {
  deps: ArrangingDeps
  context: Context
  /** One operation at a time. */
  queue: Promise<unknown>
}

export function createArranging(deps: ArrangingDeps): Arranging {
  const { dataDir, now, log, digestOf, record } = deps
  const journal = createJournal(join(dataDir, 'arranging'))
  const trash = createTrash(join(dataDir, 'trash'))
  const state: State = {
    deps,
    context: { journal, trash, now, log, digestOf, record },
    queue: Promise.resolve(),
  }
  return {
    plan: async (input) => shownPlan(await planned(state, input)),
    do: (input) => alone(state, () => perform(state, input)),
    undo: (id) => alone(state, () => undo(state, id)),
    last: () => last(state),
    trash: () => listTrash(state),
    wentTo: (path, since) => wentTo(journal, path, since),
    empty: (trashId) => alone(state, async () => empty(state, trashId)),
    recover: () =>
      alone(state, async () => collect(state)).catch((error: unknown) => {
        log.warn('what was broken off with skill folders could not be settled', { error: String(error) })
      }),
  }
}

/** One at a time in all programs on the data; what a program that ended left half done comes first. */
function alone<T>(state: State, work: () => Promise<T>): Promise<T> {
  const next = state.queue.then(async () => {
    const lease = leaseOf(state)
    try {
      await settleLeft(state)
      return await work()
    } finally {
      lease.release()
    }
  })
  state.queue = next.catch(() => undefined)
  return next
}

function leaseOf({ deps }: State): ReturnType<typeof takeLease> {
  try {
    return takeLease(join(deps.dataDir, 'arranging.lock'))
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'busy') throw error
    throw new AppError('busy', 'Another Satchel is changing skill folders right now. Try again in a moment.')
  }
}

async function settleLeft({ context, deps }: State): Promise<void> {
  for (const operation of context.journal.all()) {
    if (operation.step === 'begun') {
      await settle(context, operation)
      await deps.changed(operation)
    } else if (!operation.recorded) {
      writeRecord(context, operation)
    }
  }
}

async function perform(state: State, input: Arrange & { planHash: string }): Promise<ArrangeDone> {
  const { projectDir, request } = input
  const plan = await planned(state, { projectDir, request })
  const { hash, refusal } = shownPlan(plan)
  if (refusal !== null) throw new AppError('bad_input', refusal)
  if (hash !== input.planHash) {
    throw new AppError('stale', 'It is not as it was shown any more, so nothing was done. Look again.')
  }
  const operation = begun(state, plan.work!, { undoes: null, before: plan.before })
  if (operation.put && request.do === 'restore') {
    Object.assign(operation.put, { from: 'trash', trashId: request.trashId })
  }
  await carryOut(state.context, operation, sourceOf(state, input, plan.work!))
  await state.deps.changed(operation)
  return doneOf(operation, plan.effects)
}

function sourceOf({ deps }: State, { projectDir, request }: Arrange, work: Work): Source {
  if (request.do === 'restore') return { is: 'trash', name: work.writes }
  if (request.do === 'create') {
    return { is: 'files', files: deps.template(request.template, request) ?? [] }
  }
  const path = deps.skill(projectDir, request.key)?.path ?? ''
  return { is: 'copy', path, name: work.writes }
}

type Beginning = Pick<Operation, 'undoes' | 'before'>

function begun({ deps }: State, { kind, was, name, put, take }: Work, beginning: Beginning): Operation {
  const id = newId('op')
  const hidden = `.satchel-${id}`
  const nothing = { mark: null, digest: null, source: null, trashId: null }
  return {
    id,
    at: deps.now(),
    kind,
    was,
    name,
    put: put && {
      ...put,
      ...nothing,
      temp: join(put.parent, `${hidden}-new`),
      from: kind === 'create' ? 'files' : 'copy',
    },
    take: take && { ...take, trashId: newId('trash'), hidden: join(dirname(take.path), `${hidden}-old`) },
    step: 'begun',
    recorded: false,
    after: null,
    ...beginning,
  }
}

async function undo(state: State, id: string): Promise<ArrangeDone> {
  const { context, deps } = state
  const of = context.journal.get(id)
  if (of?.step !== 'done') throw new AppError('not_found', 'This can’t be undone any more.')
  const { put: made, take: taken } = of
  if (taken && !context.trash.get(taken.trashId)) {
    throw new AppError('not_found', 'It is not in the trash any more: after 30 days it is gone.')
  }
  if (made && taken) await checkUnchanged(join(made.parent, made.name), of)
  const operation = begun(state, backwards(deps, of), { undoes: id, before: of.after })
  // What is taken must be what was made.
  if (operation.put && taken) {
    Object.assign(operation.put, { from: 'trash', trashId: taken.trashId, source: made?.digest ?? null })
  }
  await carryOut(context, operation, { is: 'trash', name: null })
  await deps.changed(operation)
  return doneOf(operation, [])
}

/** What was taken comes back, what was made goes to the trash. */
function backwards(deps: ArrangingDeps, { kind, was, name, put, take }: Operation): Work {
  const made = put && join(put.parent, put.name)
  return {
    kind,
    was: name,
    name: was,
    put: take && { parent: dirname(take.path), name: basename(take.path) },
    take: made === null ? null : { path: made, shown: `${deps.former(made).shown}/${basename(made)}` },
    writes: null,
  }
}

async function checkUnchanged(made: string, { name, put }: Operation): Promise<void> {
  const now = await readTree(made).catch(() => null) // gone or unreadable: not what it was
  if (now?.digest === put?.digest) return
  throw new AppError(
    'stale',
    `"${name}" was changed or moved since, so this is not undone: the changes would be lost. Move or rename it instead.`,
  )
}

function last({ context }: State): ArrangeDone | null {
  const done = context.journal.all().filter(({ step, undoes }) => step === 'done' && undoes === null)
  const [operation] = done.slice(-1)
  return operation ? doneOf(operation, []) : null
}

/** What was moved or renamed is kept for its undo, but it is not gone, so it is no trash for people. */
function listTrash({ context, deps }: State): TrashEntry[] {
  return context.trash
    .list()
    .filter(({ of }) => of !== 'move' && of !== 'rename')
    .map(({ id, name, shown, at, files, bytes }) => ({
      id,
      name,
      from: shown,
      deletedAt: at,
      endsAt: at + TRASH_MS,
      files,
      bytes,
    }))
    .filter(({ endsAt }) => endsAt > deps.now())
}

function empty({ context }: State, trashId: string): void {
  if (!context.trash.get(trashId)) throw new AppError('not_found', 'It is not in the trash any more.')
  context.trash.remove(trashId)
}

function collect({ context, deps }: State): void {
  const now = deps.now()
  const open = context.journal.all().filter(({ step }) => step === 'begun')
  const wanted = open.flatMap(({ put, take }) => [put?.trashId, take?.trashId])
  for (const { id, at, step } of context.journal.all()) {
    if (step !== 'begun' && at + TRASH_MS < now) context.journal.remove(id)
  }
  context.trash.collect(now, new Set(wanted.filter((id) => typeof id === 'string')))
}

type Looked = Planned & { digest: string | null; before: string | null }

async function planned(state: State, input: Arrange): Promise<Looked> {
  const facts = await gather(state, input)
  const { tree, skill } = facts
  const digest = tree && typeof tree === 'object' ? tree.digest : null
  const before = skill ? await state.deps.digestOf(skill.path) : null
  return { ...planOf(input.request, facts), digest, before }
}

function shownPlan({ work, digest, before: _before, ...plan }: Looked): ArrangePlan {
  return { ...plan, hash: sha256(canonicalJson({ ...plan, work, digest })) }
}

async function gather({ deps, context }: State, input: Arrange): Promise<Facts> {
  const { projectDir, request } = input
  const skill = 'key' in request ? deps.skill(projectDir, request.key) : null
  const kept = request.do === 'restore' ? context.trash.get(request.trashId) : null
  const wanted = wantedPlace(deps, input, kept?.path ?? null)
  const reads = skill !== null && skill.notCopied === null
  return {
    skill,
    kept,
    place: wanted && lookAtPlace(wanted),
    tree: reads ? await readTree(skill.path).catch(reasonOf) : null,
    edit:
      reads && 'name' in request
        ? editOf(skill.path, request.name ?? skill.name)
        : keptEdit(request, kept, context),
    template: request.do === 'create' ? deps.template(request.template, request) : null,
    effects: deps.effects(input),
  }
}

/** What another name than its own changes in what comes back from the trash. */
function keptEdit(request: ArrangeRequest, kept: Kept | null, { trash }: Context): Facts['edit'] {
  if (request.do !== 'restore' || request.name === undefined || !kept) return null
  const isPlain = basename(kept.path) === request.name || whyNoName(request.name) !== null
  return isPlain ? null : editOf(trash.tree(kept.id), request.name)
}

function wantedPlace(
  deps: ArrangingDeps,
  { projectDir, request }: Arrange,
  former: string | null,
): Wanted | null {
  if ('place' in request) return deps.place(projectDir, request.place)
  if (request.do === 'restore') return former === null ? null : deps.former(former)
  return request.do === 'delete' ? null : deps.holding(projectDir, request.key)
}

function editOf(dir: string, name: string): ReturnType<typeof nameEdit> | string {
  try {
    return nameEdit(dir, name)
  } catch (error) {
    return reasonOf(error)
  }
}

function reasonOf(error: unknown): string {
  return error instanceof AppError ? error.message : 'It can’t be read, so it can’t be copied.'
}

function doneOf(operation: Operation, effects: readonly ArrangeEffect[]): ArrangeDone {
  const { id, kind, undoes, name, put, take } = operation
  return {
    id,
    kind,
    undoes,
    name,
    text: doneText(operation, effects),
    path: put && join(put.parent, put.name),
    trashId: take && !put ? take.trashId : null,
  }
}
