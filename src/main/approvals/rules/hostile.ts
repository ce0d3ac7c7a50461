import { runPlanOf, type RequestPlan, type RunPlan } from '@shared/domain/approval'
import type { ArgScope } from '@shared/domain/arg-scope'

/** Another plan that a rule made from the first must never allow. */
export interface HostileVariant {
  name: string
  plan: RequestPlan
  /** Rules of these kinds leave it open on purpose. */
  unless?: readonly ArgScope[]
}

const OTHER = 'f'.repeat(64)

/** What somebody could put in the place of an allowed request (`approvals.md` 8, `security.md` A1 to A35). */
export function hostileVariants(plan: RequestPlan, projectDir: string | null): HostileVariant[] {
  if (plan.kind === 'file_edit') {
    return [{ name: 'another text', plan: { ...plan, after: { ...plan.after, sha256: OTHER } } }]
  }
  if (plan.kind === 'mcp') {
    return [
      { name: 'another argument', plan: { ...plan, arguments: { ...plan.arguments, added: true } } },
      { name: 'another server', plan: { ...plan, server: { ...plan.server, digest: OTHER } } },
      { name: 'another tool', plan: { ...plan, tool: { ...plan.tool, digest: OTHER } } },
    ]
  }
  const run = runPlanOf(plan)
  if (!run) return []
  return [
    ...reachVariants(run),
    ...placeVariants(run, projectDir),
    ...(run.kind === 'shell' ? textVariants(run) : scriptVariants(run)),
  ]
}

function reachVariants(plan: RunPlan): HostileVariant[] {
  const { sandbox, interpreter } = plan
  return [
    { name: 'network on', plan: { ...plan, sandbox: { ...sandbox, network: 'on' } } },
    {
      name: 'hosts that it can reach',
      plan: { ...plan, sandbox: { ...sandbox, network: 'hosts', hosts: ['example.com:443'] } },
    },
    { name: 'no sandbox', plan: { ...plan, sandbox: { ...sandbox, backend: 'none', profile: 'none' } } },
    {
      name: 'writes elsewhere',
      plan: { ...plan, sandbox: { ...sandbox, writable: [...sandbox.writable, '/'] } },
    },
    { name: 'another folder', plan: { ...plan, cwd: `${plan.cwd}/other` } },
    { name: 'another program', plan: { ...plan, interpreter: { ...interpreter, path: '/tmp/bin/evil' } } },
    {
      name: 'an environment',
      plan: { ...plan, env: [...plan.env, { name: 'LD_PRELOAD', value: './x.so' }] },
    },
    { name: 'other input', plan: { ...plan, stdin: `${plan.stdin ?? ''}\nyes` } },
    { name: 'typed to', plan: { ...plan, interactive: !plan.interactive } },
    { name: 'a full-screen program', plan: { ...plan, interactive: true, fullScreen: true } },
  ]
}

/** Without a project the chat's own folder is the same for every such chat. */
function placeVariants(plan: RunPlan, projectDir: string | null): HostileVariant[] {
  if (projectDir === null)
    return [{ name: 'outside the chat’s folder', plan: { ...plan, cwd: '/elsewhere' } }]
  return [{ name: 'another project', plan: { ...plan, workspace: '/elsewhere', cwd: '/elsewhere' } }]
}

function scriptVariants(plan: RunPlan): HostileVariant[] {
  const { skill, script, argv } = plan
  if (!skill || !script) return []
  const withArgs = (...added: string[]) => ({ ...plan, argv: [...argv, ...added] })
  const wide: HostileVariant['unless'] = ['anyArgs']
  return [
    { name: 'another file of the skill changed', plan: { ...plan, skill: { ...skill, treeDigest: OTHER } } },
    { name: 'another script', plan: { ...plan, script: { ...script, path: 'scripts/evil.sh' } } },
    { name: 'changed contents', plan: { ...plan, script: { ...script, sha256: OTHER } } },
    { name: 'a skill of the same name', plan: { ...plan, skill: { ...skill, key: `${skill.key}-other` } } },
    { name: 'a hook', plan: { ...plan, kind: plan.kind === 'hook' ? 'script' : 'hook' } },
    { name: 'one more flag', plan: withArgs('--force'), unless: wide },
    { name: 'one more value', plan: withArgs('other'), unless: wide },
    { name: 'an option that starts a program', plan: withArgs('--upload-pack=evil') },
    { name: 'a proxy command', plan: withArgs('-oProxyCommand=evil') },
    { name: 'a hidden argument', plan: withArgs('\u001b[2K\rls') },
    { name: 'a turned text', plan: withArgs('\u202Efdp.x') },
  ]
}

/** What can be hung on a command or put in front of it (A1 to A25). */
const ATTACKS: readonly (readonly [string, (text: string) => string])[] = [
  ['A1', (text) => `${text} && touch PWN`],
  ['A2', (text) => `${text}; touch PWN`],
  ['A3', (text) => `${text} | sh -c "touch PWN"`],
  ['A4', (text) => `${text}\ntouch PWN`],
  ['A5', (text) => `${text} & touch PWN`],
  ['A6', (text) => `${text} $(touch PWN)`],
  ['A7', (text) => `${text} \`touch PWN\``],
  ['A8', (text) => `${text} "$(touch PWN)"`],
  ['A9', (text) => `${text} <(touch PWN)`],
  ['A10', (text) => `${text} > PWN`],
  ['A11', (text) => `${text} <<E\n$(touch PWN)\nE`],
  ['A12', (text) => `${text.split(' ')[0]} () { touch PWN; }; ${text}`],
  ['A13', (text) => `${text} $((a[$(touch PWN)]))`],
  ['A14', (text) => `\${x:=$(touch PWN)}; ${text}`],
  ['A15', (text) => `${text}\${IFS}PWN`],
  ['A16', (text) => `${text} -fprintf PWN x`],
  ['A17', (text) => `${text} --output=PWN`],
  ['A18', (text) => `env ${text}`],
  ['A19', (text) => `${text} -o PWN`],
  ['A20', (text) => `${text} --pre ./pre.sh`],
  ['A21', (text) => `${text}_evil`],
  ['A22', (text) => `${text}/../evil.py`],
  ['A24', (text) => `${text}\rtouch PWN`],
  ['A24', (text) => `${text}\u2028touch PWN`],
  ['A24', (text) => `${text} \\\n`],
  ['A25', (text) => `${'true;'.repeat(60)}${text}`],
  ['assignment', (text) => `LD_PRELOAD=./x.so ${text}`],
  ['white space', (text) => `${text} `],
]

function textVariants(plan: RunPlan): HostileVariant[] {
  const text = plan.argv.at(-1) ?? ''
  const head = plan.argv.slice(0, -1)
  return [
    ...ATTACKS.map(([name, attack]) => ({ name, plan: { ...plan, argv: [...head, attack(text)] } })),
    { name: 'another skill', plan: { ...plan, mounts: [...plan.mounts, { name: 'zz', treeDigest: OTHER }] } },
  ]
}
