import { useState } from 'react'
import { visibleLine } from '@shared/visible-text'
import { api, messageOf } from '../../api'
import { announce } from '../../ui/announce'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { Note } from '../../ui/note'
import { page } from './strings'
import { VersionDiff } from './version-diff'
import type { VersionSkill } from './version-diff'

/** What bringing back a version would change, before anything is written. */
export function RestoreDialog(props: {
  skill: VersionSkill & { name: string }
  digest: string
  /** What is there now, as it was seen. */
  current: string
  onClose: () => void
}) {
  const { skill, digest, current, onClose } = props
  const { projectDir, key, name } = skill
  const [failure, setFailure] = useState('')
  const words = page.versions
  const restore = async (): Promise<void> => {
    try {
      await api.call('skillPage.restore', { projectDir, key, digest, expected: current })
      announce(words.restored)
      onClose()
    } catch (reason) {
      setFailure(messageOf(reason))
    }
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={words.restoreTitle(visibleLine(name))}
      className="skfix"
      footer={
        <>
          <Button onClick={onClose}>{page.fix.cancel}</Button>
          <Button variant="solid" onClick={() => void restore()}>
            {words.restoreNow}
          </Button>
        </>
      }
    >
      <p className="small t2">{words.restoreIntro}</p>
      {failure && <Note tone="bad">{failure}</Note>}
      <VersionDiff skill={skill} before={current} after={digest} />
    </Dialog>
  )
}
