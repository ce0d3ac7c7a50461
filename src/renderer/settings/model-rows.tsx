import { PRICES_AS_OF } from '@shared/prices-as-of'
import type { Settings } from '@shared/domain/settings'
import type { PageProps } from './pages'
import { Row, save } from './rows'
import { saveSettings } from '../stores/settings'
import { dollarsIn, pathIn, proxyIn } from './typed'
import type { Typed } from './typed'
import { TypedField } from './typed-field'
import { words } from './model-strings'

/** What may be spent before no call is made any more; estimates, by the list prices of known models. */
export function SpendingRows({ view }: PageProps) {
  const { spendingLimitChat, spendingLimitDay } = view.settings
  return (
    <>
      <DollarRow
        name={words.modelRows.spendingLimitForA}
        hint={words.modelRows.noCallIsMade(PRICES_AS_OF)}
        value={spendingLimitChat}
        onSave={(value) => save({ spendingLimitChat: value })}
      />
      <DollarRow
        name={words.modelRows.spendingLimitForADay}
        hint={words.modelRows.theSameForAll}
        value={spendingLimitDay}
        onSave={(value) => save({ spendingLimitDay: value })}
      />
    </>
  )
}

/** How providers are reached. Servers on this computer are never asked through a proxy. */
export function NetworkRows({ view }: PageProps) {
  return (
    <>
      <PathRow
        name={words.modelRows.proxy}
        hint={words.modelRows.addressOfAProxy}
        field="proxy"
        read={proxyIn}
        placeholder="http://proxy.example:3128"
        settings={view.settings}
      />
      <PathRow
        name={words.modelRows.certificateAuthority}
        hint={words.modelRows.aPemFileThat}
        field="caFile"
        read={pathIn}
        placeholder="/etc/ssl/company.pem"
        settings={view.settings}
      />
    </>
  )
}

function DollarRow(props: {
  name: string
  hint: string
  value: number | null
  onSave: (value: number | null) => void
}) {
  const { name, hint, value } = props
  return (
    <Row name={name} hint={hint} onReset={value === null ? undefined : () => props.onSave(null)}>
      <TypedField
        label={words.modelRows.inUsDollars(name)}
        shown={value === null ? '' : String(value)}
        unit={words.modelRows.us}
        read={dollarsIn}
        onSave={props.onSave}
        input={{ inputMode: 'decimal', placeholder: words.modelRows.noLimit }}
      />
    </Row>
  )
}

function PathRow(props: {
  name: string
  hint: string
  field: 'proxy' | 'caFile'
  read: (text: string) => Typed<string>
  placeholder: string
  settings: Settings
}) {
  const { name, hint, field, placeholder } = props
  const value = props.settings[field]
  return (
    <Row name={name} hint={hint} onReset={value === '' ? undefined : () => save({ [field]: '' })}>
      <TypedField
        label={name}
        shown={value}
        read={props.read}
        onSave={(next) => saveSettings({ [field]: next })}
        input={{ className: 'mono set-wide', placeholder, spellCheck: false }}
      />
    </Row>
  )
}
