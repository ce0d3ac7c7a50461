import type { ActiveSkill, ModelWish, SessionDetail } from '@shared/domain/session'
import { SCOPE_NAMES } from '@shared/scope-names'
import { visibleLine } from '@shared/visible-text'
import { api } from '../api'
import { guarded } from '../shell/actions'
import { selectSkill } from '../skills/tree/skills-place'
import { skillsStore, useSkillList } from '../stores/skills'
import { goTo } from '../stores/ui'
import { Button } from '../ui/button'
import { formatNumber, formatTokens, shortHash } from '../ui/format'
import { CloseIcon, PinnedIcon, PlusIcon, RetryIcon, SkillsIcon } from '../ui/icons'
import { ScopeIcon } from '../ui/marks'
import { Menu, MenuItem, MenuLabel } from '../ui/menu'
import { mayCall } from './composer/completion'
import { showContext } from './context/context-place'
import { chat } from './strings'

/** Skills whose instructions are in this chat, in order, with what they cost. Always visible. */
export function SkillsBar({ detail }: { detail: SessionDetail }) {
  const { entries, omitted, tokens } = detail.catalogue
  return (
    <section className="skillbar" aria-label={chat.activeSkills}>
      <span className="small t3">{chat.activeSkills}</span>
      {detail.activeSkills.map((skill) => (
        <SkillChip
          key={skill.name}
          skill={skill}
          wish={detail.modelWishes.find(({ of, key }) => of === 'skill' && key === skill.key)}
          sessionId={detail.id}
          projectDir={detail.projectDir}
        />
      ))}
      <AddSkill detail={detail} />
      <span className="sp" />
      <button
        type="button"
        className="small t3 num trunc link-quiet"
        onClick={() =>
          showContext({ chatId: detail.id, sessionId: detail.id, messageId: null, open: 'catalogue' })
        }
      >
        {chat.catalogue(entries, omitted, tokens)}
      </button>
    </section>
  )
}

function SkillChip(props: {
  skill: ActiveSkill
  wish: ModelWish | undefined
  sessionId: string
  projectDir: string | null
}) {
  const { skill, wish, sessionId, projectDir } = props
  return (
    <Menu
      trigger={
        <button
          type="button"
          className="chip skill-chip"
          data-skill={skill.name}
          data-scope={skill.scope}
          data-hash={skill.digest}
        >
          <ScopeIcon scope={skill.scope} />
          <span className="mono m">{visibleLine(skill.name)}</span>
          <span className="num t3">{formatNumber(skill.tokens)}</span>
          <span className="sr"> {chat.tokensFrom(SCOPE_NAMES[skill.scope])}</span>
          {skill.alwaysOn && (
            <>
              <PinnedIcon size={14} aria-hidden="true" />
              <span className="sr">{chat.byAgent}</span>
            </>
          )}
          {skill.changedOnDisk && <span className="attn">{chat.changedOnDisk}</span>}
        </button>
      }
    >
      <MenuLabel>{`${SCOPE_NAMES[skill.scope]}, ${formatTokens(skill.tokens)}, ${skill.alwaysOn ? chat.byAgent : chat.loadedAt(skill.step)}`}</MenuLabel>
      <MenuLabel>{chat.skillsBar.sha(shortHash(skill.digest))}</MenuLabel>
      {wish && <MenuLabel>{chat.prefers(wish.wanted, wish.ref !== null)}</MenuLabel>}
      {skill.changedOnDisk && !skill.alwaysOn && (
        <MenuItem icon={<RetryIcon size={14} />} onSelect={() => takeNewer(sessionId, skill.name)}>
          {chat.takeNewer}
        </MenuItem>
      )}
      {!skill.alwaysOn && (
        <MenuItem icon={<CloseIcon size={14} />} onSelect={() => unloadSkill(sessionId, skill.name)}>
          {chat.unload}
        </MenuItem>
      )}
      <MenuItem icon={<SkillsIcon size={14} />} onSelect={() => showSkill(skill.name, projectDir)}>
        {chat.openSkill}
      </MenuItem>
    </Menu>
  )
}

/** More would be no menu any more, and there may be thousands. */
const MAX_OFFERED = 50

function AddSkill({ detail }: { detail: SessionDetail }) {
  const list = useSkillList(detail.projectDir)
  const active = new Set(detail.activeSkills.map((skill) => skill.name))
  const choices = (list?.skills ?? []).filter((skill) => mayCall(skill) && !active.has(skill.name))
  const full = active.size >= detail.maxActiveSkills
  if (full) {
    return (
      <Button
        small
        className="add-skill"
        icon={<PlusIcon size={14} />}
        unavailable={chat.limitReached(detail.maxActiveSkills)}
      >
        {chat.addSkill}
      </Button>
    )
  }
  return (
    <Menu
      trigger={
        <button type="button" className="chip">
          <PlusIcon size={14} />
          {chat.addSkill}
        </button>
      }
    >
      {choices.length === 0 && <MenuLabel>{chat.nothingToAdd}</MenuLabel>}
      {choices.slice(0, MAX_OFFERED).map((skill) => (
        <MenuItem
          key={skill.key}
          icon={<ScopeIcon scope={skill.scope} />}
          hint={`+${formatNumber(skill.tokens.body)}`}
          onSelect={() =>
            void guarded(
              async () =>
                void (await api.call('sessions.loadSkill', { sessionId: detail.id, name: skill.name })),
            )
          }
        >
          <span className="mono">{visibleLine(skill.name)}</span>
        </MenuItem>
      ))}
      {choices.length > MAX_OFFERED && (
        <MenuLabel>{chat.skillsBar.moreNameOneIn(choices.length - MAX_OFFERED)}</MenuLabel>
      )}
    </Menu>
  )
}

export function unloadSkill(sessionId: string, name: string): void {
  void guarded(async () => void (await api.call('sessions.unloadSkill', { sessionId, name })))
}

/** Unloads what was loaded and loads what is on disk now: both are steps of the ledger. */
function takeNewer(sessionId: string, name: string): void {
  void guarded(async () => {
    await api.call('sessions.unloadSkill', { sessionId, name })
    await api.call('sessions.loadSkill', { sessionId, name })
  })
}

/** Goes to the skills area, to the copy that this name means. */
function showSkill(name: string, projectDir: string | null): void {
  const list = skillsStore.getState().lists[projectDir ?? '']
  const used = list?.skills.find(
    (skill) => skill.name === name && (skill.status === 'effective' || skill.byHand),
  )
  if (used) selectSkill(used.key)
  goTo({ area: 'skills' })
}
