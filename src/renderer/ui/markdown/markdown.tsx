import { memo, useMemo, useState } from 'react'
import { createSplitter, parseBlock } from './blocks'
import { drawAll } from './draw'
import { toTree } from './tree'

interface MarkdownProps {
  text: string
  /** Still arriving: only the last block is parsed again. */
  open?: boolean
  /** A click on a relative link, such as `references/x.md`. Without it such links are plain text. */
  onInternalLink?: (path: string) => void
}

/** Text of a model or a skill, never as HTML. Finished blocks keep their place and are drawn once. */
export function Markdown({ text, open = false, onInternalLink }: MarkdownProps) {
  const [split] = useState(createSplitter)
  const blocks = split(text)
  return (
    <div className="md">
      {blocks.map((block, i) => (
        <BlockView
          key={block.start}
          source={block.source}
          open={open && i === blocks.length - 1}
          onInternalLink={onInternalLink}
        />
      ))}
    </div>
  )
}

const BlockView = memo(function BlockView(props: {
  source: string
  open: boolean
  onInternalLink: ((path: string) => void) | undefined
}) {
  const tree = useMemo(() => toTree(parseBlock(props.source)), [props.source])
  return drawAll(tree, { open: props.open, onInternalLink: props.onInternalLink })
})
