import { z } from 'zod'
import { canonicalJson } from '@shared/canonical-json'
import type { ActiveSkill } from '@shared/domain/session'
import { foldName, isLegalName } from '@shared/skill-md/skill-name'
import { findProposal, insertProposal, type ProposalRow, type ProposedFile } from '../../db/proposal-rows'
import { sha256 } from '../../lib/hash'
import { newId } from '../../lib/ids'
import { failed, succeeded } from '../turn/envelope'
import { isSkillMd, proposedFiles, proposedSkill, type FileChange, type ReadBefore } from './proposed-files'
import { activeSkill, isInert, noActiveSkill } from './active'
import { defineTool, type ToolContext, type ToolOutcome } from './tool'

const MAX_FILES = 50

const Input = z.object({
  name: z.string().min(1).max(200).describe('An active skill; with "new", the name of the skill to be made.'),
  justification: z.string().min(1).max(10_000).describe('Why it is needed, for the person who decides.'),
  evidence: z
    .array(
      z.object({
        kind: z.enum(['run', 'error', 'test', 'feedback', 'message']),
        ref: z.string().max(200).describe('Such as a run_id.'),
        note: z.string().max(2000).default(''),
      }),
    )
    .max(20)
    .default([])
    .describe('What shows the need.'),
  files: z
    .array(
      z
        .object({
          path: z.string().min(1).max(4096).describe('Relative to the skill.'),
          content: z.string().optional().describe('The whole file as it is to be; or else:'),
          diff: z.string().optional().describe('a unified diff of the file as it was loaded; or else:'),
          delete: z.boolean().optional().describe('true to delete it.'),
        })
        .refine((file) => waysOf(file) === 1, 'Give each file one of content, diff or delete.'),
    )
    .min(1)
    .max(MAX_FILES),
  new: z.boolean().default(false).describe('The skill does not exist yet.'),
  scope: z.enum(['personal', 'project']).optional().describe('Where a new skill is to lie.'),
})
type Input = z.output<typeof Input>

function waysOf({ content, diff, delete: deletes }: Omit<FileChange, 'path'>): number {
  return [content !== undefined, diff !== undefined, deletes === true].filter(Boolean).length
}

/** A change is kept for a person to decide on; no agent writes to a skill (G1, `management.md` 2.13). */
export const proposeTool = defineTool(
  {
    name: 'skills_propose_update',
    description:
      'Proposes a change of an active skill, or a new skill. A person reviews it later; nothing is changed until then.',
    input: Input,
  },
  propose,
)

async function propose(context: ToolContext, input: Input): Promise<ToolOutcome> {
  const base = input.new ? null : activeSkill(context.session, input.name)
  if (base === undefined) return noActiveSkill(context.session, input.name)
  const refusal = base === null ? refuseNew(context, input) : refuseBase(context, base)
  if (refusal) return refusal
  const files = await proposedFiles(input.files, readerOf(context, base))
  const of = baseOf(base, input)
  return keep(context, {
    ...madeIn(context),
    ...of,
    ...proposedSkill(of.skillName, files),
    scope: input.scope ?? null,
    files,
    justification: input.justification,
    evidence: input.evidence,
    changeHash: changeHash(of.skillKey ?? foldName(of.skillName), files),
  })
}

function baseOf(base: ActiveSkill | null, { name }: Input) {
  if (base === null) return { skillKey: null, skillName: name, baseDigest: null }
  return { skillKey: base.key, skillName: base.name, baseDigest: base.digest }
}

/** What it would be like, whatever the way to say it. */
function changeHash(skill: string, files: readonly ProposedFile[]): string {
  const after = files.map(({ path, after }) => [path, after] as const)
  return sha256(canonicalJson({ skill, files: after.toSorted(([a], [b]) => (a < b ? -1 : 1)) }))
}

/** Once the same was declined it is not asked again; while it waits it is the same proposal. */
function keep({ deps }: ToolContext, row: ProposalRow): ToolOutcome {
  const known = findProposal(deps.db.sql, row.changeHash)
  if (known?.status === 'declined') {
    const why = known.reason ? `: "${known.reason}"` : ' without a reason'
    return refused('denied', `The person declined this very change before${why}. Don't propose it again.`)
  }
  const result = succeeded({ proposal_id: known?.id ?? row.id, state: 'open' })
  if (known) return { kind: 'result', envelope: result }
  return {
    kind: 'result',
    envelope: result,
    record: () => {
      insertProposal(deps.db.sql, row)
      deps.audit.append({
        actor: 'agent',
        action: 'proposal.created',
        sessionId: row.sessionId,
        target: row.skillName,
        data: { proposalId: row.id, key: row.skillKey, base: row.baseDigest, change: row.changeHash },
      })
    },
  }
}

function madeIn({ deps, session, call }: ToolContext) {
  return {
    id: newId('prop'),
    sessionId: session.id,
    callId: call.id,
    step: call.step,
    model: session.model,
    createdAt: deps.now(),
  }
}

function refuseBase({ deps, session }: ToolContext, base: ActiveSkill): ToolOutcome | null {
  if (!isInert(deps, session, base.key)) return null
  return refused('not_trusted', `The project is not trusted any more, so "${base.name}" does nothing here.`)
}

function refuseNew({ deps, session }: ToolContext, { name, files }: Input): ToolOutcome | null {
  if (!isLegalName(name)) {
    return refused(
      'bad_input',
      `"${name}" is no name of a skill. Use lower-case letters, digits and single hyphens.`,
    )
  }
  const found = deps.registry.resolve(session.projectDir, name)
  if (found.ok) {
    return refused(
      'bad_input',
      `There is a skill "${name}" already. Load it and propose a change, or take another name.`,
    )
  }
  if (files.some((file) => isSkillMd(file.path) && file.content !== undefined)) return null
  return refused('bad_input', 'A new skill needs its SKILL.md with the whole content.')
}

/** The files as they were loaded; a new skill has none. */
function readerOf({ deps }: ToolContext, base: ActiveSkill | null): ReadBefore {
  return async (path) => {
    if (base === null) return null
    const { files } = await deps.store.manifest(base.digest)
    if (!files.some((file) => file.path === path)) return null
    return { text: textOf(await deps.store.read(base.digest, path)) }
  }
}

function textOf(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return null // not UTF-8: it can only be replaced or deleted as a whole
  }
}

function refused(code: Parameters<typeof failed>[0], error: string): ToolOutcome {
  return { kind: 'result', envelope: failed(code, error) }
}
