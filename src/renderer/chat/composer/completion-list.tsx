/* oxlint-disable jsx-a11y/prefer-tag-over-role, jsx-a11y/interactive-supports-focus, jsx-a11y/click-events-have-key-events -- a text box with a list (APG): the box keeps the focus and has the keys */
import type { SkillSummary } from '@shared/domain/skill'
import { clsx } from 'clsx'
import { formatNumber } from '../../ui/format'
import { RunIcon } from '../../ui/icons'
import { ScopeIcon } from '../../ui/marks'
import { VisibleText } from '../../ui/visible-text'
import type { ChatCommand } from './commands'
import { chat } from '../strings'
import { firstSentence } from './suggest'
import type { Completion } from './use-completion'

const LIST = 'composer-skills'

/** What the message box says of its list to assistive technology. */
export function completionProps({ options, chosen }: Completion) {
  if (options.length === 0) return {}
  return { 'aria-controls': LIST, 'aria-activedescendant': `${LIST}-${chosen}` }
}

/** Skills and commands that fit the word at the caret; the box keeps the focus. */
export function CompletionList({ completion }: { completion: Completion }) {
  const { options, chosen, hints, take } = completion
  if (options.length === 0) return null
  return (
    <div id={LIST} role="listbox" aria-label={chat.skillsToName} className="comp-list">
      {options.map((option, i) => (
        <div
          key={'command' in option ? `/${option.command}` : option.key}
          id={`${LIST}-${i}`}
          role="option"
          aria-selected={i === chosen}
          className={clsx('mi', i === chosen && 'on')}
          // A click leaves the caret in the message box.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => take(option)}
        >
          {'command' in option ? (
            <CommandOption {...option} />
          ) : (
            <SkillOption skill={option} hint={hints[option.key]} />
          )}
        </div>
      ))}
    </div>
  )
}

function CommandOption({ command, about }: ChatCommand) {
  return (
    <>
      <RunIcon size={14} aria-hidden="true" />
      <span className="mono m">{command}</span>
      <span className="t2 trunc">{about}</span>
    </>
  )
}

function SkillOption({ skill, hint }: { skill: SkillSummary; hint: string | undefined }) {
  return (
    <>
      <ScopeIcon scope={skill.scope} />
      <span className="mono m">{skill.name}</span>
      {hint && (
        <span className="mono t3">
          <VisibleText text={hint} />
        </span>
      )}
      <span className="t2 trunc">
        <VisibleText text={firstSentence(skill.description)} />
      </span>
      <span className="mi-hint">{`+${formatNumber(skill.tokens.body)}`}</span>
    </>
  )
}
