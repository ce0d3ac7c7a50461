import { useState } from 'react'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { TextField } from '../../ui/field'
import { words } from '../strings'

export interface NameDialogProps {
  title: string
  /** What the field says at first. */
  start: string
  button: string
  onClose: () => void
  /** Throws with a sentence where it can't be. */
  onName: (path: string) => Promise<void>
}

/** Asks for the path of a file inside the skill. */
export function NameDialog({ title, start, button, onClose, onName }: NameDialogProps) {
  const [path, setPath] = useState(start)
  const [error, setError] = useState('')
  const submit = (): void => {
    onName(path.trim()).then(onClose, (reason: unknown) =>
      setError(reason instanceof Error ? reason.message : String(reason)),
    )
  }
  return (
    <Dialog
      open
      title={title}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{words.nameDialog.cancel}</Button>
          <Button variant="solid" onClick={submit}>
            {button}
          </Button>
        </>
      }
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <TextField
          label={words.fileName}
          className="mono"
          value={path}
          error={error || undefined}
          onChange={(event) => setPath(event.target.value)}
        />
      </form>
    </Dialog>
  )
}
