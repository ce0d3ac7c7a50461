import { z } from 'zod'
import { Diagnostic } from '@shared/domain/skill'
import { call } from '@shared/ipc/define'
import type { Client, Handlers } from '@shared/ipc/define'
import { checkTogether } from '@shared/skill-check/together'
import type { TogetherSkill } from '@shared/skill-check/together'
import type { WorkerClient } from '../../search/worker-client'
import type { SkillRecord } from '../../skills/record'
import type { Registry } from '../../skills/registry/registry'

/** What main asks of the worker thread: problems that skills have only beside each other. */
export const togetherContract = {
  'skills.together': call(
    z.object({
      projectDir: z.string().nullable(),
      /** Copies that are not in use there; all others are. */
      unused: z.array(z.string()),
    }),
    z.array(z.object({ key: z.string(), problems: z.array(Diagnostic) })),
  ),
}

/** The worker's answer, from what its scanner last told. */
export function togetherHandlers(records: () => Iterable<SkillRecord>): Handlers<typeof togetherContract> {
  return {
    'skills.together'({ projectDir, unused }) {
      const idle = new Set(unused)
      const seen = [...records()]
        .filter((record) => record.projectDir === null || record.projectDir === projectDir)
        .map((record) => togetherSkill(record, !idle.has(record.key)))
        // The copy in use first: of two in one scope the other one is told which it is.
        .sort((a, b) => Number(b.effective) - Number(a.effective) || (a.key < b.key ? -1 : 1))
      const found = checkTogether(seen, { catalogueMax: Number.POSITIVE_INFINITY })
      return [...found].map(([key, problems]) => ({ key, problems }))
    },
  }
}

/** What of a copy is looked at when all are checked together. */
export function togetherSkill(record: SkillRecord, effective: boolean): TogetherSkill {
  const { key, name, folder, location, scope, description, requires, disableModelInvocation } = record
  return {
    key,
    name,
    folder,
    location,
    scope,
    description,
    requires,
    effective,
    hidden: disableModelInvocation,
  }
}

/** Problems of one copy beside all others of its project's view. Empty while the worker starts again. */
export type ProblemsBeside = (projectDir: string | null, key: string) => Promise<Diagnostic[]>

/** Asks the worker once for each state of the skills: `changed` says that there is a new one. */
export function problemsBeside(deps: {
  worker: Pick<WorkerClient, 'serve'>
  registry: Pick<Registry, 'list'>
}): { of: ProblemsBeside; changed(): void } {
  const known = new Map<string, { unused: string; answer: Promise<Found> }>()
  let client: Client<typeof togetherContract> | null = null
  deps.worker.serve<typeof togetherContract>((next) => {
    client = next
    known.clear()
  })
  return {
    async of(projectDir, key) {
      const unused = unusedKeys(deps.registry, projectDir)
      const stamp = unused.join('\n')
      const earlier = known.get(projectDir ?? '')
      const answer = earlier?.unused === stamp ? earlier.answer : ask(client, projectDir, unused)
      known.set(projectDir ?? '', { unused: stamp, answer })
      try {
        return (await answer).get(key) ?? []
      } catch {
        known.clear()
        return [] // the worker ended meanwhile: the next look asks the one that takes its place
      }
    },
    changed: () => known.clear(),
  }
}

type Found = Map<string, Diagnostic[]>

async function ask(
  client: Client<typeof togetherContract> | null,
  projectDir: string | null,
  unused: string[],
): Promise<Found> {
  const found = await client?.call('skills.together', { projectDir, unused })
  return new Map(found?.map(({ key, problems }) => [key, problems]))
}

function unusedKeys(registry: Pick<Registry, 'list'>, projectDir: string | null): string[] {
  return registry
    .list(projectDir)
    .filter(({ status }) => status !== 'effective')
    .map(({ record }) => record.key)
}
