import type { Token } from 'markdown-it'

/** A token with what stands between its opening and its closing. */
export interface Node {
  token: Token
  children: Node[]
}

/** Nests the flat tokens of markdown-it; `inline` tokens bring their own children along. */
export function toTree(tokens: readonly Token[]): Node[] {
  const root: Node[] = []
  const open: Node[] = []
  for (const token of tokens) {
    if (token.nesting < 0) {
      open.pop()
      continue
    }
    const node: Node = { token, children: token.children ? toTree(token.children) : [] }
    const siblings = open.at(-1)?.children ?? root
    siblings.push(node)
    if (token.nesting > 0) open.push(node)
  }
  return root
}

/** The words of a node without any styling. */
export function plainText(node: Node): string {
  if (node.children.length > 0) return node.children.map(plainText).join('')
  return node.token.content
}
