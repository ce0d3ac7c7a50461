import { Switch } from '../ui/field'
import { StatusMark } from '../ui/marks'
import { Note } from '../ui/note'
import { InterpreterTable } from './interpreter-table'
import type { PageProps } from './pages'
import { NumberRow, Page, Row, save } from './rows'

/** What confines scripts, how long they may run, and what they are run with. */
export function RunsPage({ view }: PageProps) {
  const { sandbox } = view
  return (
    <Page title="Sandbox and runs">
      <Row name="Sandbox" hint={sandbox.summary}>
        {sandbox.works ? (
          <StatusMark tone="ok">Working</StatusMark>
        ) : (
          <StatusMark tone="bad">Not available</StatusMark>
        )}
      </Row>
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
      <Row name="Network" hint="In the sandbox a script has no network.">
        <span className="small t2">{sandbox.works ? 'Off' : 'Not limited'}</span>
      </Row>
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
      <InterpreterTable chosen={view.settings.interpreters} />
    </Page>
  )
}
