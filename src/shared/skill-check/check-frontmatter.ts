import { nearestText } from '../near-text'
import type { CheckedFolder } from './checked-folder'
import type { Finding, Report } from './report'

const SHORT_DESCRIPTION = 20
/** Words that say when: enough to find descriptions that only name a thing. */
const WHEN =
  /\b(?:when(?:ever)?|whether|if|before|after|while|during|once|use (?:this|it|for|to|as|in|with|on)|used (?:for|to|by|when)|useful|helps?|for (?:any|all|tasks?|working|creating|writing|building|use)|asks?|asked|mentions?|requests?|wants?|needs?|triggers?|must be used|handles?|should)\b/i
const TAG = /<\/?[A-Za-z][\w-]{0,40}(?:\s[^<>]{0,200})?\/?>/
const PLACEHOLDER_NAME = /[{}<>]|^(?:your|my)-skill(?:-name)?$|^skill-name$|^\[.*\]$/i
const PLACEHOLDER_TEXT = /\[TODO\b|^TODO\b|(?<!\$)\{\{?[A-Za-z][\w -]{0,60}\}\}?|\blorem ipsum\b/

/** Fields of the frontmatter, as far as reading them did not already say it. */
export function checkFrontmatter(folder: CheckedFolder, report: Report): void {
  if (folder.skill.broken) return
  checkDescription(folder, report)
  checkPlaceholders(folder, report)
  checkTools(folder, report)
  checkExecution(folder, report)
  checkHooks(folder, report)
}

function checkDescription(folder: CheckedFolder, report: Report): void {
  const { description, whenToUse } = folder.skill
  if (description === '') return
  const place = { line: folder.fieldLine('description') }
  if (Array.from(description).length < SHORT_DESCRIPTION) report.add(SHORT, place)
  else if (!saysWhen(description) && whenToUse === undefined) report.add(NO_WHEN, place)
  const tag = TAG.exec(description)
  if (tag) report.add(markup(tag[0]), place)
}

/** Only English is judged: of other writing the words are not known. */
function saysWhen(description: string): boolean {
  const foreign = description.match(/(?!\p{Script=Latin})\p{L}/gu)?.length ?? 0
  return foreign > description.length / 10 || WHEN.test(description)
}

const SHORT: Finding = {
  code: 'description-short',
  severity: 'warning',
  message: `The description has less than ${SHORT_DESCRIPTION} characters; agents choose the skill by it alone.`,
  fix: 'Say what the skill does and when to use it.',
}

const NO_WHEN: Finding = {
  code: 'description-no-when',
  severity: 'info',
  message: 'The description never says when to use the skill.',
  fix: 'Add a sentence such as "Use when the person asks for …".',
}

function markup(tag: string): Finding {
  return {
    code: 'description-markup',
    severity: 'warning',
    message: `The description holds the tag "${tag.slice(0, 60)}"; some clients refuse it, some let it break their prompt.`,
    fix: 'Write it without < and >.',
  }
}

function checkPlaceholders(folder: CheckedFolder, report: Report): void {
  const { label, description } = folder.skill
  const name = [label, folder.folderName].find((text) => PLACEHOLDER_NAME.test(text.trim()))
  if (name !== undefined) {
    report.add(
      {
        code: 'placeholder-left',
        severity: 'warning',
        message: `"${name.slice(0, 80)}" is the name of a template that was not filled in.`,
        fix: 'Give the skill and its folder a name, or keep the template outside the folders of skills.',
      },
      { line: folder.fieldLine('name') },
    )
  }
  const text = PLACEHOLDER_TEXT.exec(description)
  if (text) {
    report.add(
      {
        code: 'placeholder-left',
        severity: 'warning',
        message: `The description still holds "${text[0].slice(0, 60)}" from a template.`,
        fix: 'Write the description.',
      },
      { line: folder.fieldLine('description') },
    )
  }
}

function checkTools(folder: CheckedFolder, report: Report): void {
  const known = new Set(folder.environment.knownTools.map((name) => name.toLowerCase()))
  const { allowedTools, disallowedTools } = folder.skill
  const fields = { 'allowed-tools': allowedTools, 'disallowed-tools': disallowedTools }
  for (const [field, tokens] of Object.entries(fields)) {
    const place = { line: folder.fieldLine(field) }
    for (const token of tokens) {
      const name = /^([^()]+?)\s*(?:\([^()]*[^()\s][^()]*\))?$/.exec(token.slice(0, 500))?.[1]
      if (name === undefined) report.add(malformedTool(token, field), place)
      else if (!/^mcp__\w/.test(name) && !known.has(name.toLowerCase())) {
        report.add(unknownTool(name, field, nearestText(name, folder.environment.knownTools)), place)
      }
    }
  }
}

function malformedTool(token: string, field: string): Finding {
  return {
    code: 'tool-malformed',
    severity: 'warning',
    message: `"${token.slice(0, 80)}" in "${field}" is not a tool or a tool with a pattern; it fits no call.`,
    fix: 'Write it as "Read" or "Bash(git:*)", with both parentheses and something between them.',
  }
}

function unknownTool(name: string, field: string, meant: string | undefined): Finding {
  return {
    code: 'tool-unknown',
    severity: 'info',
    message: `There is no tool "${name.slice(0, 80)}"; in "${field}" it fits no call.`,
    fix:
      meant === undefined
        ? 'Correct its name, or delete it if it belongs to another client.'
        : `Write it as the tool is named: "${meant}".`,
  }
}

/** `agent` and `model` (`runtime.md` 6); reading the file already tells of an unknown `context`. */
function checkExecution(folder: CheckedFolder, report: Report): void {
  const { agent, context, frontmatter, model } = folder.skill
  if (agent !== undefined && context !== 'fork') {
    report.add(AGENT_WITHOUT_FORK, { line: folder.fieldLine('agent') })
  }
  if (model === undefined && Object.hasOwn(frontmatter, 'model')) {
    report.add(MODEL_EMPTY, { line: folder.fieldLine('model') })
  }
}

const AGENT_WITHOUT_FORK: Finding = {
  code: 'agent-without-fork',
  severity: 'warning',
  message: '"agent" has no effect without "context: fork".',
  fix: 'Add "context: fork", or delete "agent".',
}

const MODEL_EMPTY: Finding = {
  code: 'model-empty',
  severity: 'warning',
  message: '"model" names no model, so it has no effect.',
  fix: 'Write the name of a model, or delete the line.',
}

/** `hooks.pre` and `hooks.post` name scripts of the skill; other shapes are kept and not run. */
function checkHooks(folder: CheckedFolder, report: Report): void {
  const { pre, post } = folder.skill.hooks
  const named = [...pre.map((path) => ['pre', path]), ...post.map((path) => ['post', path])] as [
    string,
    string,
  ][]
  for (const [which, path] of named) {
    if (isThere(folder, path)) continue
    report.add(
      {
        code: 'hook-missing',
        severity: 'warning',
        message: `"hooks.${which}" names "${path.slice(0, 120)}", which is not a file of the skill.`,
        fix: 'Add the script, or correct its path; it starts at the folder of the skill.',
      },
      { line: folder.fieldLine('hooks') },
    )
  }
}

function isThere(folder: CheckedFolder, path: string): boolean {
  return folder.filesCut === true || folder.file(path.replace(/^(?:\.\/)+/, '')) !== undefined
}
