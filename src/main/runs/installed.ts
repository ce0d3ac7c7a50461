import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { RunPlan } from '@shared/domain/approval'

/**
 * Packages that Python finds in a run: those beside the interpreter and in the folders of the system, which are all that
 * a run can see. Read from the names of their records; no program is started for it.
 */
export function pythonPackages({
  path,
  prefixes,
}: Pick<RunPlan['interpreter'], 'path' | 'prefixes'>): ReadonlySet<string> {
  const roots = [...new Set([dirname(dirname(path)), '/usr', '/usr/local', ...prefixes])]
  const folders = roots.flatMap((root) =>
    namesIn(join(root, 'lib'))
      .filter((name) => name.startsWith('python3'))
      .flatMap((name) => ['site-packages', 'dist-packages'].map((kind) => join(root, 'lib', name, kind))),
  )
  const records = folders.flatMap(namesIn)
  return new Set(
    records.flatMap((name) => /^(.+?)-\d[^/]*\.(?:dist-info|egg-info)$/.exec(name)?.[1] ?? []).map(plainName),
  )
}

/** One spelling for all of a package's name: "Foo.Bar_baz" is foo-bar-baz. */
export function plainName(name: string): string {
  return name.toLowerCase().replace(/[-_.]+/g, '-')
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return [] // there is no such folder
  }
}
