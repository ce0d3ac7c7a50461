import { api } from '../../api'
import { ImageChip } from '../../ui/markdown/link'
import { Tag } from '../../ui/marks'
import { page } from './strings'
import { useAsked } from './use-asked'

/** A picture that lies in the skill, read by main; what is no bitmap is named in its place. */
export function SkillImage(props: {
  projectDir: string | null
  skill: string
  path: string
  alt: string
  /** Other contents mean: read again. */
  version: string
}) {
  const { projectDir, skill, path, alt, version } = props
  const { value, error } = useAsked(
    () => api.call('skillPage.image', { projectDir, key: skill, path }),
    [projectDir, skill, path, version].join('\n'),
  )
  if (error) return <Tag>{page.imageNotRead(path)}</Tag>
  if (!value) return null
  return value.dataUrl === null ? <ImageChip src={path} alt={alt} /> : <img src={value.dataUrl} alt={alt} />
}
