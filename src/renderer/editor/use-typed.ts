import { useState } from 'react'
import type { ChangeEvent } from 'react'

/**
 * A field that says what was typed while it has the focus, also where the document writes it otherwise (a blank at the
 * end), and what the document says at all other times.
 */
export function useTyped(value: string, onChange: (value: string) => void) {
  const [typed, setTyped] = useState<{ text: string; gave: string } | null>(null)
  // Undone or changed elsewhere: the document counts again.
  const isOwn = typed !== null && (typed.gave === value || typed.text.trim() === value.trim())
  return {
    value: isOwn ? typed.text : value,
    onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => {
      setTyped({ text: event.target.value, gave: value })
      onChange(event.target.value)
    },
    onBlur: () => setTyped(null),
  }
}
