import { join } from 'node:path'
import { isLegalName, slugOf, whyNoName } from '@shared/skill-md/skill-name'
import { createTemplates } from '../../main/arranging/templates'
import { withPlace } from '../here/arranging'
import { wrongUse } from '../grammar/command'
import type { Given, Outcome } from '../grammar/command'
import { shown } from '../terminal/output'
import { displayPath, projectOf, typedPath } from '../here/places'
import type { World } from '../world'

/** Longest description that every client loads (`format.md` 1.1). */
const MAX_DESCRIPTION = 1024

/** `satchel skills new`: makes a skill's folder, or nothing at all. */
export async function run(given: Given, world: World): Promise<Outcome> {
  const name = checkedName(given.words[0]!)
  const description = checkedDescription(given.values.get('description'))
  const template = given.values.get('template') ?? 'blank'
  const place = placeOf(given.values.get('in') ?? 'personal', world)
  const dir = join(place, name)
  const files = createTemplates(join(world.root, 'resources')).files(template, { name, description }) ?? []
  await withPlace(world, { dir: place, shown: displayPath(world, place) }, ({ arrange }) =>
    arrange({ do: 'create', name, place: 'personal', template, description }),
  )
  const paths = files.map(({ path }) => path)
  return {
    result: { name, path: dir, files: paths },
    text(style) {
      const lines = paths.map((path) => `  ${path}`)
      const next = `Next: write what it is for in ${shown(displayPath(world, join(dir, 'SKILL.md')))}, then run`
      const check = `  satchel skills validate ${shown(displayPath(world, dir))}`
      const made = `Made the skill ${style.paint('strong', name)} in ${shown(displayPath(world, dir))}:`
      return { out: [made, ...lines, next, check].join('\n') }
    },
  }
}

function checkedName(name: string): string {
  const why = whyNoName(name)
  if (why === null) return name
  const other = isLegalName(name) ? `${name}-skill` : slugOf(name)
  throw wrongUse(why, `satchel skills new ${other}`)
}

function checkedDescription(text: string | undefined): string {
  const description = text?.replace(/\s+/g, ' ').trim() ?? ''
  if (Array.from(description).length <= MAX_DESCRIPTION) return description
  throw wrongUse(
    `The description has more than ${MAX_DESCRIPTION} characters. Some clients would not load the skill.`,
    'satchel skills new <name> --description "one or two sentences"',
  )
}

function placeOf(place: string, world: World): string {
  if (place === 'personal') return join(world.homeDir, '.satchel', 'skills')
  if (place !== 'project') return typedPath(world, place)
  const project = projectOf(world, world.cwd)
  if (project !== null) return join(project, '.satchel', 'skills')
  throw wrongUse(
    'This folder is in no project: neither it nor one above it holds .satchel, .agents or .git.',
    'satchel skills new <name> --in <folder>',
  )
}
