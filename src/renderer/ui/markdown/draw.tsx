import { createElement, Fragment } from 'react'
import type { ReactNode } from 'react'
import { VisibleText } from '../visible-text'
import { CodeBlock } from './code-block'
import { ImageChip, SafeLink } from './link'
import { isInlineImage } from './links'
import { plainText } from './tree'
import type { Node } from './tree'

export interface DrawOptions {
  /** The text is still arriving: code is not coloured yet. */
  open: boolean
  onInternalLink?: ((path: string) => void) | undefined
  /** False for a relative link that leads nowhere: it stays text. */
  isInternalLink?: ((path: string) => boolean) | undefined
  /** Draws an image that lies beside the text; null: a chip stands for it. */
  drawOwnImage?: ((src: string, alt: string) => ReactNode) | undefined
}

/** Elements that carry nothing but their children. */
const PLAIN = new Set([
  'ul',
  'li',
  'blockquote',
  'strong',
  'em',
  's',
  'thead',
  'tbody',
  'tr',
  'p',
  'th',
  'td',
])
/** Headings of a message stand below the page's own. */
const HEADING: Record<string, string> = { h1: 'h3', h2: 'h4', h3: 'h5', h4: 'h6', h5: 'h6', h6: 'h6' }

/** Draws a tree of tokens as React elements; text can only ever become text. */
export function drawAll(nodes: readonly Node[], options: DrawOptions): ReactNode[] {
  return nodes.map((node, i) => drawNode(node, i, options))
}

function drawNode(node: Node, key: number, options: DrawOptions): ReactNode {
  const { token } = node
  switch (token.type) {
    case 'inline':
      return drawAll(node.children, options)
    case 'text':
      return <VisibleText key={key} text={token.content} />
    case 'softbreak':
      return '\n'
    case 'hardbreak':
      return <br key={key} />
    case 'hr':
      return <hr key={key} />
    case 'code_inline':
      return (
        <code key={key}>
          <VisibleText text={token.content} />
        </code>
      )
    case 'fence':
    case 'code_block':
      return (
        <CodeBlock
          key={key}
          code={token.content}
          language={token.info.trim().split(/\s/)[0] ?? ''}
          open={options.open}
        />
      )
    case 'image':
      return drawImage(node, key, options)
    case 'link_open':
      return drawLink(node, key, options)
    default:
      return drawElement(node, key, options)
  }
}

function drawElement(node: Node, key: number, options: DrawOptions): ReactNode {
  const { token } = node
  const children = drawAll(node.children, options)
  // A tight list hides the paragraphs of its items.
  if (token.hidden) return children
  const heading = HEADING[token.tag]
  if (heading) return createElement(heading, { key, className: `md-${token.tag}` }, ...children)
  if (token.tag === 'ol') {
    const start = token.attrGet('start')
    return createElement('ol', { key, ...(start ? { start: Number(start) } : {}) }, ...children)
  }
  if (token.tag === 'table') {
    return (
      <div key={key} className="md-table">
        <table>{children}</table>
      </div>
    )
  }
  if (PLAIN.has(token.tag)) return createElement(token.tag, { key }, ...children)
  return <VisibleText key={key} text={token.content} />
}

function drawImage(node: Node, key: number, { drawOwnImage }: DrawOptions): ReactNode {
  const src = String(node.token.attrGet('src') ?? '')
  const alt = plainText(node)
  if (isInlineImage(src)) return <img key={key} src={src} alt={alt} />
  const own = drawOwnImage?.(src, alt) ?? null
  return own === null ? <ImageChip key={key} src={src} alt={alt} /> : <Fragment key={key}>{own}</Fragment>
}

function drawLink(node: Node, key: number, options: DrawOptions): ReactNode {
  return (
    <SafeLink
      key={key}
      href={String(node.token.attrGet('href') ?? '')}
      text={node.children.map(plainText).join('')}
      onInternal={options.onInternalLink}
      isInternal={options.isInternalLink}
    >
      {drawAll(node.children, options)}
    </SafeLink>
  )
}
