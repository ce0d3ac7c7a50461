import { PRICES_AS_OF } from '@shared/prices-as-of'
import type { Settings } from '@shared/domain/settings'
import type { PageProps } from './pages'
import { Row, save } from './rows'
import { saveSettings } from '../stores/settings'
import { dollarsIn, pathIn, proxyIn } from './typed'
import type { Typed } from './typed'
import { TypedField } from './typed-field'

/** What may be spent before no call is made any more; estimates, by the list prices of known models. */
export function SpendingRows({ view }: PageProps) {
  const { spendingLimitChat, spendingLimitDay } = view.settings
  return (
    <>
      <DollarRow
        name="Spending limit for a chat"
        hint={`No call is made once a chat has cost this much. Estimated for models with a known price, by the list prices of ${PRICES_AS_OF} that come with Satchel, which nobody verified.`}
        value={spendingLimitChat}
        onSave={(value) => save({ spendingLimitChat: value })}
      />
      <DollarRow
        name="Spending limit for a day"
        hint="The same for all chats together, from midnight on."
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
        name="Proxy"
        hint="Address of a proxy for models elsewhere. Empty: as HTTPS_PROXY and NO_PROXY say."
        field="proxy"
        read={proxyIn}
        placeholder="http://proxy.example:3128"
        settings={view.settings}
      />
      <PathRow
        name="Certificate authority"
        hint="A PEM file that is trusted beside the usual ones. Empty: as SSL_CERT_FILE and NODE_EXTRA_CA_CERTS say."
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
        label={`${name}, in US dollars`}
        shown={value === null ? '' : String(value)}
        unit="US$"
        read={dollarsIn}
        onSave={props.onSave}
        input={{ inputMode: 'decimal', placeholder: 'No limit' }}
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
