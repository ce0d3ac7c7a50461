import type { SandboxView } from '@shared/domain/settings'
import { api } from '../api'
import { guarded } from '../shell/actions'
import { Button } from '../ui/button'
import { StatusMark } from '../ui/marks'
import { Row } from './rows'

/** What confines scripts here, and the button that proves it now with canaries. */
export function SandboxRow({ sandbox }: { sandbox: SandboxView }) {
  return (
    <Row name="Sandbox" hint={sandbox.summary}>
      <span className="row">
        {sandbox.works ? (
          <StatusMark tone="ok">Working</StatusMark>
        ) : (
          <StatusMark tone="bad">Not available</StatusMark>
        )}
        <Button small onClick={() => void guarded(async () => void (await api.call('runs.testSandbox', {})))}>
          Test it
        </Button>
      </span>
    </Row>
  )
}
