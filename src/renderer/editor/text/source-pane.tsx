import { EditorView } from '@codemirror/view'
import { useEffect, useRef } from 'react'
import { attachView, documentOf, keepDraft, noteTransaction } from '../documents'

/** The text of one document. Its state outlives this view, with its history. */
export function SourcePane({ id }: { id: string }) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const state = documentOf(id)?.state
    if (!place.current || !state) return undefined
    const view = new EditorView({
      state,
      parent: place.current,
      dispatch(transaction, view) {
        view.update([transaction])
        noteTransaction(id, transaction)
      },
    })
    const detach = attachView(id, view)
    const blur = () => void keepDraft(id)
    view.contentDOM.addEventListener('blur', blur)
    return () => {
      detach()
      view.destroy()
    }
  }, [id])
  return <div ref={place} className="ed-source" />
}
