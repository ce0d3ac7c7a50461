import type { SkillPlace } from '@shared/domain/arranging'
import { visibleLine } from '@shared/visible-text'
import { useProject } from '../stores/projects'
import { SelectField } from '../ui/field'
import { words } from './strings'

/** Which folder a skill goes into, each with its path. */
export function PlaceField(props: {
  value: SkillPlace
  onChange: (place: SkillPlace) => void
  projectDir: string | null
}) {
  const project = useProject(props.projectDir)
  const places: SkillPlace[] = project
    ? ['personal', 'project', 'personal-shared', 'project-shared']
    : ['personal', 'personal-shared']
  const folder = (place: SkillPlace) => {
    const inProject = place === 'project' || place === 'project-shared'
    return inProject && project
      ? `${visibleLine(project.name)}/${words.folders[place]}`
      : words.folders[place]
  }
  return (
    <SelectField
      label={words.where}
      value={props.value}
      onChange={(event) => {
        const chosen = places.find((place) => place === event.target.value)
        if (chosen) props.onChange(chosen)
      }}
    >
      {places.map((place) => (
        <option key={place} value={place}>
          {`${words.places[place]}: ${folder(place)}`}
        </option>
      ))}
    </SelectField>
  )
}
