import { parseSync } from 'vite'

/** Words in code that belong into the catalogue of texts. */
export interface LooseWords {
  line: number
  words: string
  /** Of the source. */
  start: number
  end: number
  type: string
}

/** What looks like words of a file below src/renderer and is none: markup, and names that others gave. */
export const NO_WORDS: Readonly<Record<string, readonly string[]>> = {
  'audit/audit-grid.tsx': ['audg-detail r'],
  'chat/transcript/transcript.tsx': ['before'],
  'editor/text/complete.ts': ['Read', 'Write', 'Edit', 'Glob', 'Grep', 'Bash', 'Task'],
  'shell/theme.ts': ['(prefers-color-scheme: dark)', '(prefers-contrast: more)'],
  'skills/preview/switch-skills.ts': ['skills refused'],
  'stores/ui.ts': ['skill'],
  'ui/keys.ts': ['Command', 'Option'],
  'ui/line-list.tsx': ['inv control'],
}

interface Node {
  type: string
  start: number
  end: number
  [field: string]: unknown
}

/** What a place makes of a text: certainly shown, perhaps shown, never shown. */
type Place = 'shown' | 'perhaps' | 'never'

/** Attributes that a person reads or hears; a word of two letters is too much there. */
const SHOWN =
  /^(label|title|placeholder|hint|alt|text|summary|unavailable|unit|lead|aria-(label|description|roledescription|valuetext|placeholder))$/
/** Attributes that name things of the code. */
const NAMES =
  /^(class(Name)?|role|id|key|type|d|viewBox|htmlFor|kind|tone|side|align|variant|size|style|autoComplete|rel|target|lang|dir|inputMode|src|href|mode|shortcut|keys|data-.*|aria-(?!label$|description$|roledescription$|valuetext$|placeholder$).*)$/
const NAMING_CALLS =
  /^(clsx|querySelector|querySelectorAll|closest|matches|startsWith|endsWith|includes|split|log|warn|Error|Set)$/
/** Names of keys as the browser gives them. */
const KEYS =
  /^(Escape|Enter|Space|Tab|Delete|Backspace|Control|Ctrl|Shift|Alt|Meta|Fn|Mod|Del|(Arrow|Page)[A-Z][a-z]+|Home|End|F\d+)$/
const PLURALS = /^(plural|formFor)$/

/** The words that a file of the window holds outside of a catalogue; strings of markup, keys and names are none. */
export function looseWords(file: string, source: string): LooseWords[] {
  const { program, errors } = parseSync(file, source)
  if (errors.length > 0) throw new Error(`${file} can't be parsed: ${errors[0]!.message}`)
  const found: LooseWords[] = []
  walk(program as unknown as Node, 'perhaps', (node, words) => {
    const line = source.slice(0, node.start).split('\n').length
    found.push({ line, words, start: node.start, end: node.end, type: node.type })
  })
  return found
}

type Found = (node: Node, words: string) => void

function walk(node: Node, place: Place, found: Found): void {
  const visit = VISITS[node.type]
  if (visit) visit(node, place, found)
  else walkFields(node, place, found)
}

function walkFields(node: Node, place: Place, found: Found): void {
  for (const value of Object.values(node)) walkValue(value, place, found)
}

function walkValue(value: unknown, place: Place, found: Found): void {
  if (Array.isArray(value)) for (const one of value) walkValue(one, place, found)
  else if (isNode(value)) walk(value, place, found)
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'
}

const nothing = (): void => undefined

const VISITS: Readonly<Record<string, (node: Node, place: Place, found: Found) => void>> = {
  ImportDeclaration: nothing,
  ExportAllDeclaration: nothing,
  TSTypeAliasDeclaration: nothing,
  TSInterfaceDeclaration: nothing,
  TSTypeAnnotation: nothing,
  TSTypeParameterInstantiation: nothing,
  TSTypeParameterDeclaration: nothing,
  TSAsExpression: ({ expression }, place, found) => walkValue(expression, place, found),
  TSSatisfiesExpression: ({ expression }, place, found) => walkValue(expression, place, found),
  BinaryExpression: (node, place, found) => {
    if (!/^([!=]==?|in|[<>]=?)$/.test(String(node['operator']))) walkFields(node, place, found)
  },
  SwitchCase: ({ consequent }, place, found) => walkValue(consequent, place, found),
  MemberExpression: ({ object, property, computed }, place, found) => {
    walkValue(object, place === 'shown' ? 'perhaps' : place, found)
    if (computed === true) walkValue(property, 'never', found)
  },
  ConditionalExpression: ({ test, consequent, alternate }, place, found) => {
    walkValue(test, 'never', found)
    walkValue([consequent, alternate], place, found)
  },
  CallExpression: visitCall,
  NewExpression: visitCall,
  ArrowFunctionExpression: ({ params, body }, place, found) => {
    walkValue(params, 'perhaps', found)
    walkValue(body, place === 'never' ? 'perhaps' : place, found)
  },
  Property: ({ key, value }, place, found) => {
    const name = isNode(key) ? String(key['name'] ?? key['value']) : ''
    walkValue(value, /^class(Name)?$/.test(name) ? 'never' : place, found)
  },
  JSXElement: (node, _, found) => {
    walkValue(node['openingElement'], 'perhaps', found)
    walkValue(node['children'], 'shown', found)
  },
  JSXFragment: ({ children }, _, found) => walkValue(children, 'shown', found),
  JSXAttribute: ({ name, value }, _, found) => {
    const called = String((name as Node)['name'])
    walkValue(value, SHOWN.test(called) ? 'shown' : NAMES.test(called) ? 'never' : 'perhaps', found)
  },
  JSXText: (node, _, found) => check(node, String(node['value']).replaceAll(/&\w+;/g, ''), 'shown', found),
  Literal: (node, place, found) => {
    if (typeof node['value'] === 'string') check(node, node['value'], place, found)
  },
  TemplateLiteral: (node, place, found) => {
    const quasis = (node['quasis'] as { value: { cooked: string } }[]).map(({ value }) => value.cooked)
    const whole = quasis.join(' ')
    // A unit or a part of a name stands without room; a word after a word does not.
    const isLoose = /\s/.test(quasis.join('')) && isEnglish(quasis.join('Xx'))
    if (place !== 'never' && isWordy(whole) && (place === 'shown' || isLoose))
      check(node, whole, 'shown', found)
    walkValue(node['expressions'], place === 'never' ? 'never' : 'perhaps', found)
  },
}

function visitCall(node: Node, place: Place, found: Found): void {
  const callee = node['callee'] as Node
  const name = String(callee['name'] ?? (callee['property'] as Node | undefined)?.['name'])
  if (name === 'defineStrings') return
  const within = place === 'never' || NAMING_CALLS.test(name) ? 'never' : 'perhaps'
  walkValue(callee, within, found)
  walkValue(node['arguments'], PLURALS.test(name) ? 'shown' : within, found)
}

function check(node: Node, text: string, place: Place, found: Found): void {
  if (place === 'never' || KEYS.test(text)) return
  if (place === 'shown' ? isWordy(text) : isEnglish(text)) found(node, text.trim())
}

/** Has a word, and is no address or path. */
function isWordy(text: string): boolean {
  return /\p{L}{2}/u.test(text) && !/^(https?:\/\/|~?\/)\S*$/.test(text.trim())
}

/** Begins as a sentence does, has a word after a word, or goes on after another text. */
function isEnglish(text: string): boolean {
  if (!isWordy(text) || /[#[\]{}<>=;]|^\.|'.*'/.test(text)) return false
  return (
    /^[A-Z][a-z’]+([ …,.:?!].*)?$/s.test(text) ||
    /\p{L}[\p{L}’]*[,:.]? \p{L}/u.test(text) ||
    /^\s\p{L}{2}|\p{L}{2}\s$/u.test(text)
  )
}
