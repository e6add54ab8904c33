import type { Session, SessionState } from '../../sdk/client.ts'
import type { Hud } from '../state/hud.ts'
import { words } from '../words.ts'
import type { Sounds } from './sounds.ts'

const severityOf = (severity: string) => (severity === 'warning' || severity === 'error' ? severity : 'info')

const describeState = (hud: Hud, state: SessionState): void => {
  if (state.name === 'live') hud.curtain.value = { kind: 'loading' }
  else if (state.name === 'waiting') hud.curtain.value = { kind: 'lost', text: state.text, retryAt: state.retryAt }
  else if (state.name === 'ended') hud.curtain.value = { kind: 'ended', text: state.text }
  else hud.curtain.value = { kind: 'lost', text: words.lost.again, retryAt: undefined }
}

/** Puts into words what a session tells of, besides land and people; the answer ends it. */
export const tellEvents = (session: Session, hud: Hud, sounds: Sounds): (() => void) => {
  const greet = (): void => {
    const { blocks, commands } = session.welcome()
    hud.kinds.value = blocks
    hud.commands.value = commands
    hud.mayFly.value = session.welcome().mayFly === true
    hud.zone.value = undefined
  }
  greet()
  const { motd } = session.welcome()
  if (motd !== undefined && motd !== '') hud.say({ kind: 'info', text: motd })
  const names = new Map<string, string>()
  const ends = [
    session.on('welcome', greet),
    session.on('state', (state) => describeState(hud, state)),
    session.on('chat', ({ from, text }) => {
      hud.say({ kind: 'chat', from, text })
      sounds.play('chat')
    }),
    session.on('notice', ({ severity, text }) => {
      hud.say({ kind: severityOf(severity), text })
      if (severity !== 'info') hud.toast('info', text)
    }),
    session.on('refused', ({ message }) => hud.say({ kind: 'error', text: message })),
    session.on('zoneChanged', ({ entered, left }) => {
      if (entered !== undefined) {
        names.set(entered.id, entered.name)
        if (hud.zone.value !== entered.name) hud.toast('zone', words.zone.entered(entered.name))
        hud.zone.value = entered.name
      } else if (left !== undefined) {
        hud.toast('zone', words.zone.left(names.get(left.id) ?? ''))
        hud.zone.value = undefined
      }
    }),
    session.on('permissionsChanged', ({ commands, mayFly }) => {
      hud.mayFly.value = mayFly === true
      hud.commands.value = commands
    }),
    session.on('blocksRegistry', ({ blocks }) => {
      hud.kinds.value = blocks
    }),
  ]
  return () => {
    for (const end of ends) end()
  }
}
