import type { ErrorReply, Kick, Notice, Session, SessionState } from '../../sdk/client.ts'
import { type ChatLine, type Hud, mayRun } from '../state/hud.ts'
import { words } from '../words.ts'
import { parseReason } from './builder.ts'
import type { Sounds } from './sounds.ts'

const severityOf = (severity: string) => (severity === 'warning' || severity === 'error' ? severity : 'info')

const describeState = (hud: Hud, state: SessionState, kick: Kick | undefined): void => {
  if (state.name === 'live') hud.curtain.value = { kind: 'loading' }
  else if (state.name === 'waiting') hud.curtain.value = { kind: 'lost', text: state.text, retryAt: state.retryAt }
  else if (state.name === 'ended') hud.curtain.value = { kind: 'ended', ...words.describeEnd(state, kick) }
  else hud.curtain.value = { kind: 'lost', text: words.lost.again, retryAt: undefined }
}

/** Lines and toasts by the kind of notice; other kinds go by severity. */
const notices: Readonly<
  Record<string, { readonly line: ChatLine['kind']; readonly toast?: 'announcement' | 'warning' | 'info' }>
> = {
  whisper: { line: 'whisper' },
  message: { line: 'whisper', toast: 'info' },
  announcement: { line: 'announcement', toast: 'announcement' },
  warning: { line: 'warning', toast: 'warning' },
  'grant-ended': { line: 'info', toast: 'info' },
}

const tellNotice = (hud: Hud, sounds: Sounds, { severity, text, kind = '' }: Notice): void => {
  // A zone's greeting belongs to its name, which came just before it.
  if (kind === 'zone') {
    hud.say({ kind: 'zone', text })
    hud.addToToast('zone', text)
    return
  }
  const shown = notices[kind] ?? { line: severityOf(severity), ...(severity !== 'info' && { toast: 'info' }) }
  hud.say({ kind: shown.line, text })
  if (shown.toast !== undefined) hud.toast(shown.toast, text)
  if (shown.line === 'whisper' || shown.line === 'announcement') sounds.play('chat')
}

const tellRefusal = (hud: Hud, { code, message, reason = '', until }: ErrorReply): void => {
  if (code !== 'muted') {
    hud.say({ kind: 'error', text: message })
    return
  }
  const { title, text } = words.muted(reason, until)
  hud.say({ kind: 'error', text: `${title} ${text}` })
  hud.toast('warning', title, [text])
}

/** Shows session events, other than land and players, as texts. Returns a function to stop. */
export const tellEvents = (session: Session, hud: Hud, sounds: Sounds): (() => void) => {
  const greet = (): void => {
    const { blocks, commands, displayName, groups, grants, mayFly, motd = '' } = session.welcome()
    hud.kinds.value = blocks
    hud.commands.value = commands
    hud.name.value = displayName
    hud.motd.value = motd
    hud.groups.value = [...new Set([...groups, ...grants.flatMap(({ group }) => group ?? [])])]
    hud.mayFly.value = mayFly === true
    hud.zone.value = undefined
  }
  greet()
  if (hud.motd.value !== '') hud.say({ kind: 'info', text: hud.motd.value })
  const names = new Map<string, string>()
  let kick: Kick | undefined
  const ends = [
    session.on('welcome', greet),
    session.on('kick', (told) => {
      kick = told
    }),
    session.on('state', (state) => {
      // The kick of an earlier connection does not explain this end.
      if (state.name !== 'ended') kick = undefined
      describeState(hud, state, kick)
    }),
    session.on('chat', ({ from, text }) => {
      hud.say({ kind: 'chat', from, text })
      sounds.play('chat')
    }),
    session.on('notice', (notice) => tellNotice(hud, sounds, notice)),
    session.on('refused', (refusal) => tellRefusal(hud, refusal)),
    session.on('correction', ({ reason, closed, refusedBy }) => {
      if (reason === 'zone-closed') hud.toast('refused', words.zone.closed(closed?.zoneName ?? ''))
      if (reason.startsWith('module-')) hud.toast('refused', words.refused(parseReason(reason, refusedBy)))
    }),
    session.on('zoneChanged', ({ entered, left }) => {
      if (entered !== undefined) {
        names.set(entered.id, entered.name)
        if (hud.zone.value !== entered.name) hud.toast('zone', words.zone.entered(entered.name))
        hud.zone.value = entered.name
        hud.zones.value = [...new Set([...hud.zones.value, entered.name])]
      } else if (left !== undefined) {
        hud.toast('zone', words.zone.left(names.get(left.id) ?? ''))
        hud.zone.value = undefined
      }
    }),
    session.on('permissionsChanged', ({ commands, groups, mayFly }) => {
      const may = mayFly === true
      if (may !== hud.mayFly.value) hud.toast('info', may ? words.mayFlyNow : words.mayFlyNoMore)
      hud.mayFly.value = may
      hud.commands.value = commands
      if (!mayRun(hud, 'inspect')) hud.isInspecting.value = false
      hud.groups.value = [...new Set([...hud.groups.value, ...groups])]
    }),
    session.on('blocksRegistry', ({ blocks }) => {
      hud.kinds.value = blocks
    }),
  ]
  return () => {
    for (const end of ends) end()
  }
}
