import { api } from '../../api'
import { guarded } from '../../shell/actions'
import { addNotice } from '../../stores/ui'
import { announce } from '../../ui/announce'
import { library } from '../library-strings'

/** As many names as one call takes. */
const MOST = 1000

/**
 * Turns names on or off in each of these places (null: everywhere); where it is so already, nothing happens. What the
 * organisation manages stays on, and that is said.
 */
export function switchSkills(
  names: readonly string[],
  places: readonly (string | null)[],
  on: boolean,
): void {
  void guarded(async () => {
    const distinct = [...new Set(names)]
    const refused = new Set<string>()
    for (const projectDir of new Set(places)) {
      for (let at = 0; at < distinct.length; at += MOST) {
        const part = distinct.slice(at, at + MOST)
        const told = await api.call('skills.switchMany', { projectDir, names: part, on })
        for (const name of told.refused) refused.add(name)
      }
    }
    if (refused.size > 0) addNotice('warning', library.refused([...refused]), 'skills refused')
    const done = distinct.length - refused.size
    if (done > 0) announce(on ? library.turnedOn(done) : library.turnedOff(done))
  })
}

/** Shows the skill's folder in the file manager. */
export function revealSkill(key: string): void {
  void guarded(async () => void (await api.call('desktop.reveal', { key })))
}
