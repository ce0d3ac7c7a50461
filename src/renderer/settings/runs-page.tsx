import type { Settings } from '@shared/domain/settings'
import { SelectField, Switch } from '../ui/field'
import { Note } from '../ui/note'
import { EnvironmentsPart } from './environments-part'
import { HostsPart } from './hosts-part'
import { InterpreterTable } from './interpreter-table'
import type { PageProps } from './pages'
import { NumberRow, Page, Row, save } from './rows'
import { SandboxRow } from './sandbox-row'

/** What confines scripts, how long they may run, and what they are run with. */
export function RunsPage({ view }: PageProps) {
  const { sandbox } = view
  return (
    <Page title="Sandbox and runs">
      <SandboxRow sandbox={sandbox} />
      {sandbox.runsRefused && (
        <Note tone="bad" title="Scripts can’t run here">
          Satchel runs as root and there is no working sandbox. Start it as a normal user, or install the
          sandbox.
        </Note>
      )}
      {!sandbox.works && !sandbox.runsRefused && (
        <Note tone="warn" title="Scripts run without a sandbox">
          Each request says so, and each must be reviewed before it can be allowed.
        </Note>
      )}
      <ProfileRow view={view} />
      <Row name="Network" hint={sandbox.network}>
        <span className="small t2">{sandbox.works ? 'Off' : 'Not limited'}</span>
      </Row>
      <LimitRows view={view} />
      <Row
        name="Stop shell scripts at the first error"
        hint="They run with -e, as the command of a request shows. Agents in the style get-skill always do."
      >
        <Switch
          label="Stop shell scripts at the first error"
          checked={view.settings.stopOnError}
          onChange={(stopOnError) => save({ stopOnError })}
        />
      </Row>
      <HostsPart />
      <EnvironmentsPart />
      <InterpreterTable chosen={view.settings.interpreters} />
    </Page>
  )
}

function ProfileRow({ view }: PageProps) {
  return (
    <Row
      name="What scripts may write"
      hint="A skill can ask for less, never for more. Each request says what it is."
      onReset={
        view.settings.sandboxProfile === 'workspace-write'
          ? undefined
          : () => save({ sandboxProfile: 'workspace-write' })
      }
    >
      <SelectField
        label="What scripts may write"
        value={view.settings.sandboxProfile}
        onChange={(event) => save({ sandboxProfile: event.target.value as Settings['sandboxProfile'] })}
      >
        <option value="workspace-write">The project</option>
        <option value="read-only">Nothing</option>
      </SelectField>
    </Row>
  )
}

function LimitRows({ view }: PageProps) {
  return (
    <>
      <NumberRow
        name="Time limit"
        hint="A script is stopped after this time."
        value={Math.round(view.settings.runTimeoutMs / 1000)}
        start={120}
        min={1}
        max={3600}
        unit="seconds"
        onSave={(seconds) => save({ runTimeoutMs: seconds * 1000 })}
      />
      <NumberRow
        name="Memory limit"
        hint="A script is stopped when its processes use more together."
        value={view.settings.runMemoryMb}
        start={2048}
        min={64}
        max={1_048_576}
        unit="MB"
        onSave={(runMemoryMb) => save({ runMemoryMb })}
      />
      <NumberRow
        name="Process limit"
        hint="How many processes of a script may run at once."
        value={view.settings.runProcesses}
        start={256}
        min={8}
        max={32_768}
        unit="processes"
        onSave={(runProcesses) => save({ runProcesses })}
      />
    </>
  )
}
