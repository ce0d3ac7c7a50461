import type { Diagnostic } from '../domain/skill'
import { fastYamlMap } from './fast-yaml'
import { mapIn } from './field-reader'
import { problem } from './problem'
import { withoutDocumentEnd } from './document-end'
import { descriptionAsText, hasMergeConflict, repairPlainSlips, repairYaml } from './repair'
import { parseYamlMap } from './yaml-map'
import type { YamlMap } from './yaml-map'

/** Frontmatter as it was read. `map` is null when it can't be: then the diagnostics hold the reason. */
export interface ReadYaml {
  map: YamlMap | null
  /** What was parsed: the YAML itself, or its repaired form with the same number of lines. */
  parsed: string
  diagnostics: Diagnostic[]
}

/** A YAML text with more errors than this is no field list with a slip in it. */
const REPAIRABLE_ERRORS = 50
/** The first line that Git writes. */
const PLAIN_CONFLICT = /^<{7} [\w./-]+$/m

/**
 * Parses frontmatter, plain one on the fast path; where that fails and a repair of lines helps, parses the repaired text
 * (`format.md` 5, rule 1). Never throws. `firstLine` is the line of the file at which `yaml` starts.
 */
export function readYaml(yaml: string, firstLine: number): ReadYaml {
  const ended = withoutDocumentEnd(yaml, firstLine)
  const lost = ended?.diagnostics.find(({ severity }) => severity === 'error')
  if (lost) return notRead(yaml, lost)
  const read = readFields(ended?.yaml ?? yaml, firstLine)
  if (!read.map) return notRead(yaml, ...read.diagnostics)
  const diagnostics = [...(ended?.diagnostics ?? []), ...read.diagnostics]
  return withTextDescription({ ...read, diagnostics }, firstLine)
}

function readFields(yaml: string, firstLine: number): ReadYaml {
  const plain = fastYamlMap(yaml, firstLine)
  if (plain) return { map: plain, parsed: yaml, diagnostics: plain.diagnostics }
  return readPlainSlips(yaml, firstLine) ?? readFully(yaml, firstLine)
}

/** A description that is a map for YAML was meant as a text: nobody describes a skill in fields. */
function withTextDescription(read: ReadYaml, firstLine: number): ReadYaml {
  if (mapIn(read.map?.values['description']) === null) return read
  const repaired = descriptionAsText(read.parsed, firstLine)
  if (!repaired) return read
  const again = readFields(repaired.yaml, firstLine)
  if (!again.map) return read
  return { ...again, diagnostics: [...read.diagnostics, ...repaired.diagnostics] }
}

/** Without the full parser, which a first look at thousands of skills then never loads; null in doubt. */
function readPlainSlips(yaml: string, firstLine: number): ReadYaml | null {
  if (conflictsBehindFields(yaml)) return notRead(yaml, mergeConflict(yaml, firstLine))
  const repaired = repairPlainSlips(yaml, firstLine)
  const map = repaired && fastYamlMap(repaired.yaml, firstLine)
  return map && { map, parsed: repaired.yaml, diagnostics: [...repaired.diagnostics, ...map.diagnostics] }
}

/** The marks of a merge conflict below plain fields, where they can be no part of a value. */
function conflictsBehindFields(yaml: string): boolean {
  const at = yaml.search(PLAIN_CONFLICT)
  return at > 0 && fastYamlMap(yaml.slice(0, at), 1) !== null
}

function readFully(yaml: string, firstLine: number): ReadYaml {
  const first = parseYamlMap(yaml, firstLine)
  if (first.ok) return { map: first.map, parsed: yaml, diagnostics: first.map.diagnostics }
  if (hasMergeConflict(yaml)) return notRead(yaml, mergeConflict(yaml, firstLine))
  const isSlip = first.error.code === 'yaml-invalid' || first.error.code === 'yaml-tag'
  const repairable = isSlip && first.errors <= REPAIRABLE_ERRORS
  const repaired = repairable ? repairYaml(yaml, firstLine) : null
  const second = repaired ? parseYamlMap(repaired.yaml, firstLine) : null
  if (!repaired || !second?.ok) return notRead(yaml, first.error)
  const diagnostics = [...repaired.diagnostics, ...second.map.diagnostics]
  return { map: second.map, parsed: repaired.yaml, diagnostics }
}

function notRead(yaml: string, ...diagnostics: Diagnostic[]): ReadYaml {
  return { map: null, parsed: yaml, diagnostics }
}

function mergeConflict(yaml: string, firstLine: number): Diagnostic {
  const line = firstLine + yaml.split('\n').findIndex((text) => hasMergeConflict(text))
  return problem('error', 'merge-conflict', 'The frontmatter holds the marks of a merge conflict.', {
    line,
    fix: 'Keep one of the two versions and delete the lines with <<<<<<<, ======= and >>>>>>>.',
  })
}
