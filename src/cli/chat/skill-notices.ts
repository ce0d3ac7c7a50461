import type { ModelWish, SessionDetail } from '@shared/domain/session'

/** What the model is told of the skills in use, for the person: one line each. */
export function skillNotices({
  activeSkills,
  modelWishes,
}: Pick<SessionDetail, 'activeSkills' | 'modelWishes'>): string[] {
  const newer = activeSkills
    .filter(({ changedOnDisk }) => changedOnDisk)
    .map(
      ({ name }) =>
        `A newer version of "${name}" is on disk. This chat keeps the one it loaded until the skill is unloaded and loaded again.`,
    )
  return [...modelWishes.flatMap(wishNotice), ...newer]
}

function wishNotice({ of, name, wanted, state }: ModelWish): string[] {
  if (of !== 'skill') return []
  const wish = `The skill "${name}" prefers the model "${wanted}"`
  if (state === 'unknown') return [`${wish}, which no provider here has, or more than one: it is ignored.`]
  if (state !== 'asks') return []
  return [
    `${wish}, which may cost more or is of another provider: it is not used unless you agree in Satchel.`,
  ]
}
