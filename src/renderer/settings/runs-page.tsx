import type { Settings } from '@shared/domain/settings'
import { SelectField, Switch } from '../ui/field'
import { Note } from '../ui/note'
import { EnvironmentsPart } from './environments-part'
import { HostsPart } from './hosts-part'
import { InterpreterTable } from './interpreter-table'
import type { PageProps } from './pages'
import { NumberRow, Page, Row, save } from './rows'
import { SandboxRow } from './sandbox-row'
import { words } from './strings'

/** What confines scripts, how long they may run, and what they are run with. */
export function RunsPage({ view }: PageProps) {
  const { sandbox } = view
  return (
    <Page title={words.runsPage.sandboxAndRuns}>
      <SandboxRow sandbox={sandbox} />
      {sandbox.runsRefused && (
        <Note tone="bad" title={words.runsPage.scriptsCantRunHere}>
          {words.runsPage.satchelRunsAsRoot}
        </Note>
      )}
      {!sandbox.works && !sandbox.runsRefused && (
        <Note tone="warn" title={words.runsPage.scriptsRunWithoutA}>
          {words.runsPage.eachRequestSaysSo}
        </Note>
      )}
      <ProfileRow view={view} />
      <Row name={words.runsPage.network} hint={sandbox.network}>
        <span className="small t2">{sandbox.works ? words.runsPage.off : words.runsPage.notLimited}</span>
      </Row>
      <LimitRows view={view} />
      <Row name={words.runsPage.stopShellScriptsAt} hint={words.runsPage.theyRunWithE}>
        <Switch
          label={words.runsPage.stopShellScriptsAt}
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
      name={words.runsPage.whatScriptsMayWrite}
      hint={words.runsPage.aSkillCanAsk}
      onReset={
        view.settings.sandboxProfile === 'workspace-write'
          ? undefined
          : () => save({ sandboxProfile: 'workspace-write' })
      }
    >
      <SelectField
        label={words.runsPage.whatScriptsMayWrite}
        value={view.settings.sandboxProfile}
        onChange={(event) => save({ sandboxProfile: event.target.value as Settings['sandboxProfile'] })}
      >
        <option value="workspace-write">{words.runsPage.theProject}</option>
        <option value="read-only">{words.runsPage.nothing}</option>
      </SelectField>
    </Row>
  )
}

function LimitRows({ view }: PageProps) {
  return (
    <>
      <NumberRow
        name={words.runsPage.timeLimit}
        hint={words.runsPage.aScriptIsStopped}
        value={Math.round(view.settings.runTimeoutMs / 1000)}
        start={120}
        min={1}
        max={3600}
        unit={words.runsPage.seconds}
        onSave={(seconds) => save({ runTimeoutMs: seconds * 1000 })}
      />
      <NumberRow
        name={words.runsPage.memoryLimit}
        hint={words.runsPage.aScriptIsStoppedWhen}
        value={view.settings.runMemoryMb}
        start={2048}
        min={64}
        max={1_048_576}
        unit={words.runsPage.mb}
        onSave={(runMemoryMb) => save({ runMemoryMb })}
      />
      <NumberRow
        name={words.runsPage.processLimit}
        hint={words.runsPage.howManyProcessesOf}
        value={view.settings.runProcesses}
        start={256}
        min={8}
        max={32_768}
        unit={words.runsPage.processes}
        onSave={(runProcesses) => save({ runProcesses })}
      />
    </>
  )
}
