import type { SandboxView } from '@shared/domain/settings'
import { api } from '../api'
import { guarded } from '../shell/actions'
import { Button } from '../ui/button'
import { StatusMark } from '../ui/marks'
import { Row } from './rows'
import { words } from './strings'

/** What confines scripts here, and the button that proves it now with canaries. */
export function SandboxRow({ sandbox }: { sandbox: SandboxView }) {
  return (
    <Row name={words.sandboxRow.sandbox} hint={sandbox.summary}>
      <span className="row">
        {sandbox.works ? (
          <StatusMark tone="ok">{words.sandboxRow.working}</StatusMark>
        ) : (
          <StatusMark tone="bad">{words.sandboxRow.notAvailable}</StatusMark>
        )}
        <Button small onClick={() => void guarded(async () => void (await api.call('runs.testSandbox', {})))}>
          {words.sandboxRow.testIt}
        </Button>
      </span>
    </Row>
  )
}
