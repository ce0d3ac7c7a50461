import type { Settings, SettingsView } from '@shared/domain/settings'
import { CopyButton } from '../ui/copy-button'
import { SelectField, Switch } from '../ui/field'
import { Note } from '../ui/note'
import { NumberRow, Page, Row, save } from './rows'
import { percentOf } from './typed'
import { words } from './strings'

/** What a page gets: the settings as main holds them. */
export interface PageProps {
  view: SettingsView
}

const THEMES: [Settings['theme'], string][] = [
  ['system', words.pages.asTheSystem],
  ['light', words.pages.light],
  ['dark', words.pages.dark],
  ['hc-light', words.pages.highContrastLight],
  ['hc-dark', words.pages.highContrastDark],
]

export function AppearancePage({ view }: PageProps) {
  return (
    <Page title={words.pages.appearance}>
      <Row name={words.pages.theme} hint={words.pages.takesEffectAtOnce}>
        <SelectField
          label={words.pages.theme}
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
    <Page title={words.pages.approvals}>
      <NumberRow
        name={words.pages.armDelay}
        setting="armDelayMs"
        hint={words.pages.howLongTheButtons}
        value={view.settings.armDelayMs}
        start={600}
        min={300}
        max={2000}
        step={100}
        unit={words.pages.ms}
        onSave={(armDelayMs) => save({ armDelayMs })}
      />
      <Row name={words.pages.withoutAnAnswer} hint={words.pages.theAgentWaitsA}>
        <span className="small t2">{words.pages.waits}</span>
      </Row>
    </Page>
  )
}

export function SkillsPage({ view }: PageProps) {
  const { projectOverPersonal } = view.settings
  const order = projectOverPersonal
    ? words.pages.enterpriseProjectPersonal
    : words.pages.enterprisePersonalProject
  return (
    <Page title={words.pages.skills}>
      <Row
        name={words.pages.projectSkillsComeFirst}
        setting="projectOverPersonal"
        hint={words.pages.whenTwoSkillsHave(order)}
        onReset={projectOverPersonal ? () => save({ projectOverPersonal: false }) : undefined}
      >
        <Switch
          label={words.pages.projectSkillsComeFirst}
          checked={projectOverPersonal}
          onChange={(on) => save({ projectOverPersonal: on })}
        />
      </Row>
      <NumberRow
        name={words.pages.activeSkillsInA}
        setting="maxActiveSkills"
        hint={words.pages.howManySkillsA}
        value={view.settings.maxActiveSkills}
        start={5}
        min={1}
        max={10}
        unit={words.pages.skills2}
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
        name={words.pages.skillsInTheCatalogue}
        setting="catalogueMax"
        hint={words.pages.howManySkillsThe}
        value={settings.catalogueMax}
        start={50}
        min={1}
        max={500}
        unit={words.pages.skills2}
        onSave={(catalogueMax) => save({ catalogueMax })}
      />
      <NumberRow
        name={words.pages.sizeOfTheCatalogue}
        setting="catalogueShare"
        hint={words.pages.theMostOfThe}
        value={percentOf(settings.catalogueShare)}
        start={2}
        min={0.1}
        max={20}
        step={0.1}
        digits={1}
        unit={words.pages.ofTheWindow}
        onSave={(percent) => save({ catalogueShare: percent / 100 })}
      />
    </>
  )
}

export function DataPage({ view }: PageProps) {
  return (
    <Page title={words.pages.data}>
      <Row name={words.pages.whereDataLives} hint={words.pages.chatsTheRecordOf}>
        <span className="row">
          <code className="set-path selectable">{view.dataDir}</code>
          <CopyButton text={view.dataDir} label={words.pages.copyThePath} />
        </span>
      </Row>
      <Row name={words.pages.version}>
        <span className="small t2 selectable">{words.pages.satchel(view.version)}</span>
      </Row>
      <Row name={words.pages.runtime}>
        <span className="small t2 selectable">{view.runtime}</span>
      </Row>
      <Row name={words.pages.telemetry} hint={words.pages.satchelSendsNothingOn}>
        <span className="small t2">{words.pages.none}</span>
      </Row>
      {view.runsAsRoot && (
        <Note tone="warn" title={words.pages.satchelRunsAsRoot}>
          {words.pages.theWindowItselfHas}
        </Note>
      )}
    </Page>
  )
}
