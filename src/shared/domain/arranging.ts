import { z } from 'zod'
import { call } from '../ipc/define'
import { Scope } from './skill'

/** A folder that Satchel writes skills into. The shared ones are read by other tools too (`.agents/skills`). */
export const SkillPlace = z.enum(['personal', 'project', 'personal-shared', 'project-shared'])
export type SkillPlace = z.infer<typeof SkillPlace>

const Key = z.string().min(1).max(5000)
const Name = z.string().max(200)
const TrashId = z.string().regex(/^[\w-]{1,100}$/)

/** What a person wants to be done with a skill folder (`ux.md` 3.3). Names are checked by the plan, which says why. */
export const ArrangeRequest = z.discriminatedUnion('do', [
  z.object({
    do: z.literal('create'),
    name: Name,
    place: SkillPlace,
    template: z.string().max(100),
    /** Empty: as the template says it. */
    description: z.string().max(5000),
  }),
  /** Beside the original, under another name. */
  z.object({ do: z.literal('duplicate'), key: Key, name: Name }),
  /** Folder and `name:` together. */
  z.object({ do: z.literal('rename'), key: Key, name: Name }),
  z.object({ do: z.literal('copy'), key: Key, place: SkillPlace, name: Name }),
  z.object({ do: z.literal('move'), key: Key, place: SkillPlace, name: Name }),
  z.object({ do: z.literal('delete'), key: Key }),
  /** To where it came from; `name` where that is taken. */
  z.object({ do: z.literal('restore'), trashId: TrashId, name: Name.optional() }),
])
export type ArrangeRequest = z.infer<typeof ArrangeRequest>

/** Which copy a name means, somewhere. */
export const UsedCopy = z.object({ scope: Scope, location: z.string() })
export type UsedCopy = z.infer<typeof UsedCopy>

/** What changes about the copy that is used: in one project, or everywhere else (null). */
export const ArrangeEffect = z.object({
  project: z.string().nullable(),
  name: z.string(),
  before: UsedCopy.nullable(),
  after: UsedCopy.nullable(),
  /** The used copy before is the one that is moved, renamed or deleted. */
  wasIt: z.boolean(),
  /** The used copy afterwards is the one that comes into being. */
  isIt: z.boolean(),
})
export type ArrangeEffect = z.infer<typeof ArrangeEffect>

/** Everything that an operation will do, shown before it does any of it. */
export const ArrangePlan = z.object({
  /** What a person saw; the operation is refused when it would do something else by then. */
  hash: z.string(),
  /** The skill's name afterwards. */
  name: z.string(),
  /** Why it can't be done and what else can be, in one or two sentences; null: it can. */
  refusal: z.string().nullable(),
  /** The copy can't be changed where it is, but a personal copy of it can be made. */
  offersCopy: z.boolean(),
  /** The folder that comes into being, for display; and how many files it holds. */
  makes: z.object({ path: z.string(), files: z.number(), bytes: z.number() }).nullable(),
  /** The folder that goes to the trash. */
  takes: z.object({ path: z.string() }).nullable(),
  /** Lines of files that are written otherwise than in the original. */
  edits: z.array(z.object({ file: z.string(), before: z.string(), after: z.string() })),
  effects: z.array(ArrangeEffect),
  /** What else to know: git, links, other tools that read the folder. */
  notes: z.array(z.string()),
})
export type ArrangePlan = z.infer<typeof ArrangePlan>

export const ArrangeKind = z.enum(['create', 'duplicate', 'rename', 'copy', 'move', 'delete', 'restore'])
export type ArrangeKind = z.infer<typeof ArrangeKind>

/** What was done. */
export const ArrangeDone = z.object({
  /** For `arrange.undo`. */
  id: z.string(),
  kind: ArrangeKind,
  /** It took back an earlier one. */
  undoes: z.string().nullable(),
  /** The skill's name afterwards; of a deleted one, its last. */
  name: z.string(),
  /** What people read after it: "Deleted sql-explain. The Bundled copy is used now." */
  text: z.string(),
  /** Real path of the skill's folder now; null: it is in the trash. */
  path: z.string().nullable(),
  trashId: z.string().nullable(),
})
export type ArrangeDone = z.infer<typeof ArrangeDone>

/** A deleted skill, for 30 days. */
export const TrashEntry = z.object({
  id: TrashId,
  name: z.string(),
  /** The folder that it was in, for display. */
  from: z.string(),
  /** Milliseconds since 1970. */
  deletedAt: z.number(),
  endsAt: z.number(),
  files: z.number(),
  bytes: z.number(),
})
export type TrashEntry = z.infer<typeof TrashEntry>

/** What a new skill can begin with. */
export const SkillTemplate = z.object({
  id: z.string(),
  title: z.string(),
  about: z.string(),
  description: z.string(),
  files: z.array(z.object({ path: z.string(), text: z.string() })),
})
export type SkillTemplate = z.infer<typeof SkillTemplate>

const ProjectRef = z.object({ projectDir: z.string().min(1).max(4096).nullable() })
const Nothing = z.object({})
const OperationId = z.string().min(1).max(100)

/** Everything that writes skill folders. */
export const ARRANGE_CALLS = {
  /** What would be done; nothing is written. */
  'arrange.plan': call(ProjectRef.extend({ request: ArrangeRequest }), ArrangePlan),
  /** Does exactly what the plan showed; throws `stale` when that is not what would be done any more. */
  'arrange.do': call(ProjectRef.extend({ request: ArrangeRequest, planHash: z.string() }), ArrangeDone),
  /** Takes a done operation back; throws `stale` when the skill was changed since. */
  'arrange.undo': call(z.object({ id: OperationId }), ArrangeDone),
  /** The last operation, for Edit › Undo. */
  'arrange.last': call(Nothing, z.object({ last: ArrangeDone.nullable() })),
  'arrange.templates': call(Nothing, z.array(SkillTemplate)),
  /** Deleted skills, the newest first. */
  'trash.list': call(Nothing, z.array(TrashEntry)),
  /** To where it came from, or under another name there; refused where something is. */
  'trash.restore': call(z.object({ trashId: TrashId, name: Name.optional() }), ArrangeDone),
  /** Removes one for good. */
  'trash.remove': call(z.object({ trashId: TrashId }), Nothing),
}
