import { useState } from 'react'
import type { ProviderAnswer, UnsavedProvider } from '@shared/domain/settings'
import { api, messageOf } from '../api'
import { Button } from '../ui/button'
import { Option } from '../ui/field'
import { Note } from '../ui/note'
import { splitModels, toggleModel, type ProviderDraft } from './provider-form-state'
import { words } from './model-strings'

interface OfferedModelsProps {
  draft: ProviderDraft
  onChange: (part: Partial<ProviderDraft>) => void
  /** What to ask with; null: something in the form must be mended first. */
  onAsk: () => UnsavedProvider | null
}

/** What the provider offers, to choose from instead of typing. It is asked when the person says so, before it is saved. */
export function OfferedModels({ draft, onChange, onAsk }: OfferedModelsProps) {
  const [asking, setAsking] = useState(false)
  const [answer, setAnswer] = useState<ProviderAnswer | null>(null)
  const ask = async (): Promise<void> => {
    const input = onAsk()
    if (!input) return
    setAsking(true)
    setAnswer(null)
    try {
      const given = await api.call('providers.checkUnsaved', input)
      setAnswer(given)
      if (given.ok) onChange({ offered: given.models })
    } catch (error) {
      setAnswer({ ok: false, message: messageOf(error), models: [] })
    } finally {
      setAsking(false)
    }
  }
  const chosen = splitModels(draft.models)
  return (
    <>
      <Button onClick={() => void ask()} unavailable={asking && words.offeredModels.waitingForTheProvider}>
        {words.offeredModels.askWhatItOffers}
      </Button>
      <output>{answer && <Note tone={answer.ok ? 'info' : 'bad'}>{answer.message}</Note>}</output>
      {draft.offered.length > 0 && (
        <fieldset className="set-keys set-offered">
          <legend className="small m">{words.offeredModels.offeredByTheProvider}</legend>
          {draft.offered.map((name) => (
            <Option
              key={name}
              type="checkbox"
              checked={chosen.includes(name)}
              label={name}
              onChange={() => onChange({ models: toggleModel(draft.models, name) })}
            />
          ))}
        </fieldset>
      )}
    </>
  )
}
