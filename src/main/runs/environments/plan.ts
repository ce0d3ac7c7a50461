import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Preparation, RunEnvironment, RunPlan } from '@shared/domain/approval'
import { canonicalJson } from '@shared/canonical-json'
import { AppError } from '@shared/errors'
import { sha256 } from '../../lib/hash'
import { composeEnv, RUN_PATH } from '../env'
import { PROXY_VARIABLES } from '../network/relay'
import type { PlanDeps } from '../plan'
import { hostsFor, PROFILES } from '../sandbox/profiles'

/** What a skill declares for one of its scripts, as far as preparing it needs it. */
export interface PrepareInput {
  kind: RunEnvironment['kind']
  /** "the script", or the file's path. */
  source: string
  /** As they are named there. */
  packages: string[]
  /** The file inside the skill; null: they stand in the script itself, and are given one by one. */
  file: string | null
  /** Beside a `package.json`: the versions to take are fixed. */
  lock: string | null
  /** The run that lacks them: its skill, its interpreter and the snapshots. */
  of: RunPlan
  /** Folder that does not exist yet, made when it begins. */
  folder: string
  /** Where packages come from; left out: the registries of the languages. */
  from?: PackageSource | undefined
}

/** Tests put their own here. */
export interface PackageSource {
  hosts: readonly string[]
  options: readonly string[]
}

const SOURCES: Readonly<Record<RunEnvironment['kind'], PackageSource>> = {
  python: { hosts: ['pypi.org:443', 'files.pythonhosted.org:443'], options: [] },
  node: { hosts: ['registry.npmjs.org:443'], options: [] },
}

const TIMEOUT_MS = 10 * 60_000

/** What the packages lie in, inside the folder of the preparation. */
export const PACKAGES_FOLDER = 'env'

/** No program of a package runs: what would have to be built is refused, and its own scripts are not started. */
const PIP =
  'install --require-virtualenv --only-binary :all: --no-input --disable-pip-version-check --no-cache-dir'
const NPM = '--ignore-scripts --omit=dev --no-audit --no-fund --no-update-notifier --cache /tmp/npm'

/** The same skill, declaration and interpreter have the same packages. */
export function environmentKey(input: Pick<PrepareInput, 'kind' | 'packages' | 'file' | 'of'>): string {
  const { kind, packages, file, of } = input
  const { path, sha256: program } = of.interpreter
  return sha256(
    canonicalJson({
      kind,
      packages,
      file,
      treeDigest: of.skill?.treeDigest ?? '',
      path,
      program: program ?? '',
    }),
  )
}

/**
 * The frozen plan of a preparation: a run of its own, whose only writable folder is the new one. Throws `not_ready`
 * where it can't be held to the hosts that it names, or the organisation does not allow them.
 */
export function planPreparation(deps: PlanDeps, input: PrepareInput): RunPlan {
  const { kind, of, folder } = input
  const { hosts, options } = input.from ?? SOURCES[kind]
  const allowed = hostsFor(hosts, [...hosts], deps.allowedHosts)
  if (allowed.length !== hosts.length) {
    throw new AppError('not_ready', `Your organisation does not allow ${hosts.join(', ')} to be reached.`)
  }
  const sandbox = deps.backend.describe({
    profile: 'workspace-write',
    profileVersion: PROFILES.version,
    writable: [folder],
    hosts: allowed,
  })
  if (sandbox.network !== 'hosts') {
    throw new AppError(
      'not_ready',
      'Packages can only be prepared where a run can be held to some hosts. Settings, Sandbox and runs says why this computer can’t.',
    )
  }
  const { interpreter, skill, mounts } = of
  const skillDir = deps.backend.skillDir(skill?.name ?? '', skill?.treeDigest ?? '')
  const text = kind === 'python' ? pythonText(input, skillDir, options) : nodeText(input, skillDir, options)
  return {
    version: 1,
    kind: 'prepare',
    skill,
    script: null,
    interpreter,
    argv: ['/bin/sh', '-ec', text],
    cwd: folder,
    workspace: folder,
    env: composeEnv({ home: deps.backend.home, skill: null, network: PROXY_VARIABLES }, {}),
    stdin: null,
    interactive: false,
    timeoutMs: TIMEOUT_MS,
    limits: deps.limits,
    mounts: mounts.filter(({ name }) => name === skill?.name),
    prepares: preparationOf(input),
    sandbox,
  }
}

/** The plan of a script with its packages: they are in the command, in its variables and in what is mounted. */
export function withEnvironment(plan: RunPlan, environment: RunEnvironment): RunPlan {
  const { kind, folder } = environment
  const [program = '', ...args] = plan.argv
  if (kind === 'node')
    return { ...plan, environment, env: withVariables(plan, { NODE_PATH: join(folder, 'node_modules') }) }
  const isInterpreter = program === plan.interpreter.path
  return {
    ...plan,
    environment,
    argv: [isInterpreter ? join(folder, 'bin/python') : program, ...args],
    env: withVariables(plan, { VIRTUAL_ENV: folder, PATH: `${join(folder, 'bin')}:${RUN_PATH}` }),
  }
}

function withVariables({ env }: RunPlan, more: Readonly<Record<string, string>>): RunPlan['env'] {
  const others = env.filter(({ name }) => more[name] === undefined)
  const added = Object.entries(more).map(([name, value]) => ({ name, value }))
  return [...others, ...added].sort((a, b) => (a.name < b.name ? -1 : 1))
}

function preparationOf(input: PrepareInput): Preparation {
  const { kind, source, packages } = input
  return { kind, key: environmentKey(input), source, packages }
}

function pythonText(
  { file, packages, of }: PrepareInput,
  skillDir: string,
  options: readonly string[],
): string {
  const what = file === null ? packages.map(quoted) : ['-r', quoted(`${skillDir}/${file}`)]
  const python = `${quoted(of.interpreter.path)} -I -m`
  // The interpreter's own pip: another copy of it would only be more to look at before each run.
  return [
    `${python} venv --without-pip ${PACKAGES_FOLDER}`,
    `${python} pip --python ${PACKAGES_FOLDER}/bin/python ${[PIP, ...options.map(quoted), ...what].join(' ')}`,
  ].join('\n')
}

function nodeText({ file, lock, of }: PrepareInput, skillDir: string, options: readonly string[]): string {
  const files = [file, lock].flatMap((path) => (path === null ? [] : [quoted(`${skillDir}/${path}`)]))
  const npm = [quoted(of.interpreter.path), quoted(npmOf(of.interpreter.path)), lock ? 'ci' : 'install']
  return [
    `mkdir ${PACKAGES_FOLDER}`,
    `cp ${files.join(' ')} ${PACKAGES_FOLDER}`,
    `cd ${PACKAGES_FOLDER}`,
    [...npm, NPM, ...options.map(quoted)].join(' '),
  ].join('\n')
}

/** npm as it comes with a Node, or as Debian has it. */
function npmOf(node: string): string {
  const beside = join(dirname(dirname(node)), 'lib/node_modules/npm/bin/npm-cli.js')
  const found = [beside, '/usr/share/nodejs/npm/bin/npm-cli.js'].find((path) => existsSync(path))
  if (found) return found
  throw new AppError('no_interpreter', `npm is not installed beside ${node}. Install it, then try again.`)
}

/** One word of a shell, whatever is in it. */
function quoted(word: string): string {
  return /^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`
}
