import type { Settings, SettingsView } from '@shared/domain/settings'
import { CopyButton } from '../ui/copy-button'
import { SelectField, Switch } from '../ui/field'
import { Note } from '../ui/note'
import { NumberRow, Page, Row, save } from './rows'
import { percentOf } from './typed'

/** What a page gets: the settings as main holds them. */
export interface PageProps {
  view: SettingsView
}

const THEMES: [Settings['theme'], string][] = [
  ['system', 'As the system'],
  ['light', 'Light'],
  ['dark', 'Dark'],
  ['hc-light', 'High contrast, light'],
  ['hc-dark', 'High contrast, dark'],
]

export function AppearancePage({ view }: PageProps) {
  return (
    <Page title="Appearance">
      <Row name="Theme" hint="Takes effect at once, in every window.">
        <SelectField
          label="Theme"
          value={view.settings.theme}
          onChange={(event) => save({ theme: event.target.value as Settings['theme'] })}
        >
          {THEMES.map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </SelectField>
      </Row>
    </Page>
  )
}

export function ApprovalsPage({ view }: PageProps) {
  return (
    <Page title="Approvals">
      <NumberRow
        name="Arm delay"
        setting="armDelayMs"
        hint="How long the buttons of a request stay inert after it appears or changes."
        value={view.settings.armDelayMs}
        start={600}
        min={300}
        max={2000}
        step={100}
        unit="ms"
        onSave={(armDelayMs) => save({ armDelayMs })}
      />
      <Row
        name="Without an answer"
        hint="The agent waits. A request never ends by itself and is never allowed by time."
      >
        <span className="small t2">Waits</span>
      </Row>
    </Page>
  )
}

export function SkillsPage({ view }: PageProps) {
  const { projectOverPersonal } = view.settings
  const order = projectOverPersonal ? 'Enterprise, Project, Personal' : 'Enterprise, Personal, Project'
  return (
    <Page title="Skills">
      <Row
        name="Project skills come first"
        setting="projectOverPersonal"
        hint={`When two skills have the same name, the first in this order is used: ${order}, Plugin, Bundled.`}
        onReset={projectOverPersonal ? () => save({ projectOverPersonal: false }) : undefined}
      >
        <Switch
          label="Project skills come first"
          checked={projectOverPersonal}
          onChange={(on) => save({ projectOverPersonal: on })}
        />
      </Row>
      <NumberRow
        name="Active skills in a chat"
        setting="maxActiveSkills"
        hint="How many skills a chat may hold at once; loading one more asks to let one go."
        value={view.settings.maxActiveSkills}
        start={5}
        min={1}
        max={10}
        unit="skills"
        onSave={(maxActiveSkills) => save({ maxActiveSkills })}
      />
      <CatalogueRows settings={view.settings} />
    </Page>
  )
}

/** How much of the catalogue a model is shown, whichever of the two limits comes first (R3). */
function CatalogueRows({ settings }: Pick<SettingsView, 'settings'>) {
  return (
    <>
      <NumberRow
        name="Skills in the catalogue"
        setting="catalogueMax"
        hint="How many skills the agent sees by name and description. Above it those that fit the chat best are chosen; the others can still be found and loaded by name."
        value={settings.catalogueMax}
        start={50}
        min={1}
        max={500}
        unit="skills"
        onSave={(catalogueMax) => save({ catalogueMax })}
      />
      <NumberRow
        name="Size of the catalogue"
        setting="catalogueShare"
        hint="The most of the model's window that it may take. Above it descriptions are shortened evenly, down to the names, before skills are left out."
        value={percentOf(settings.catalogueShare)}
        start={2}
        min={0.1}
        max={20}
        step={0.1}
        digits={1}
        unit="% of the window"
        onSave={(percent) => save({ catalogueShare: percent / 100 })}
      />
    </>
  )
}

export function DataPage({ view }: PageProps) {
  return (
    <Page title="Data">
      <Row
        name="Where data lives"
        hint="Chats, the record of what ran, and the copies of scripts that were run."
      >
        <span className="row">
          <code className="set-path selectable">{view.dataDir}</code>
          <CopyButton text={view.dataDir} label="Copy the path" />
        </span>
      </Row>
      <Row name="Version">
        <span className="small t2 selectable">{`Satchel ${view.version}`}</span>
      </Row>
      <Row name="Runtime">
        <span className="small t2 selectable">{view.runtime}</span>
      </Row>
      <Row
        name="Telemetry"
        hint="Satchel sends nothing on its own. Only the model provider you chose gets your messages."
      >
        <span className="small t2">None</span>
      </Row>
      {view.runsAsRoot && (
        <Note tone="warn" title="Satchel runs as root">
          The window itself has no sandbox then. Start Satchel as a normal user for everyday work.
        </Note>
      )}
    </Page>
  )
}
