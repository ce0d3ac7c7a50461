import { memo, useMemo, useState } from 'react'
import { createSplitter, parseBlock } from './blocks'
import { drawAll } from './draw'
import type { DrawOptions } from './draw'
import { toTree } from './tree'

/** What the place of a text can do with what lies beside it; each stays the same function while it does the same. */
type Beside = Pick<DrawOptions, 'onInternalLink' | 'isInternalLink' | 'drawOwnImage'>

interface MarkdownProps extends Beside {
  text: string
  /** Still arriving: only the last block is parsed again. */
  open?: boolean
}

/** Text of a model or a skill, never as HTML. Finished blocks keep their place and are drawn once. */
export function Markdown({ text, open = false, ...beside }: MarkdownProps) {
  const [split] = useState(createSplitter)
  const blocks = split(text)
  return (
    <div className="md">
      {blocks.map((block, i) => (
        <BlockView
          key={block.start}
          source={block.source}
          open={open && i === blocks.length - 1}
          {...beside}
        />
      ))}
    </div>
  )
}

const BlockView = memo(function BlockView({ source, ...options }: { source: string } & DrawOptions) {
  const tree = useMemo(() => toTree(parseBlock(source)), [source])
  return drawAll(tree, options)
})
