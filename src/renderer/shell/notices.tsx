import { dismissNotice, noticesIn, useUi } from '../stores/ui'
import { IconButton } from '../ui/button'
import { CloseIcon } from '../ui/icons'
import { Note } from '../ui/note'
import { VisibleText } from '../ui/visible-text'
import { shell } from './strings'

const TONE = { info: 'info', warning: 'warn', error: 'bad' } as const

/**
 * What main or a failed call has to say, above the view; it stays until it is dismissed. What is about one chat stands
 * in that chat alone.
 */
export function Notices({ chatId = null }: { chatId?: string | null }) {
  const all = useUi((state) => state.notices)
  const notices = noticesIn(all, chatId)
  if (notices.length === 0) return null
  return (
    <div className="notices">
      {notices.map((notice) => (
        <Note
          key={notice.n}
          tone={TONE[notice.level]}
          action={
            <IconButton tiny label={shell.dismiss} onClick={() => dismissNotice(notice.n)}>
              <CloseIcon size={14} />
            </IconButton>
          }
        >
          <VisibleText text={notice.message} />
        </Note>
      ))}
    </div>
  )
}
