import { computed, effect } from '@preact/signals'
import type { Session } from '../../sdk/client.ts'
import { type Hud, mayRun } from '../state/hud.ts'
import { readPeople } from './people-answer.ts'

/** The refresh interval while the list is open. */
const everyMs = 3_000

/**
 * Lists players on all nodes while the list is open or can complete a command, if the player can run `/who`. Returns a function to stop.
 */
export const learnPeople = (session: Pick<Session, 'command'>, hud: Hud): (() => void) => {
  const ask = (): void => {
    // A hidden page needs no list.
    if (document.visibilityState === 'hidden') return
    session.command('/who').then(
      ({ ok, data }) => {
        hud.everybody.value = ok ? readPeople(data) : undefined
      },
      () => {
        hud.everybody.value = undefined
      },
    )
  }
  const isWanted = computed(() => {
    const isCommand = hud.screen.value === 'chat' && hud.draft.value.startsWith('/')
    return hud.arePlayersShown.value || isCommand || (hud.screen.value === 'pause' && hud.isTouch.value)
  })
  return effect(() => {
    if (!mayRun(hud, 'who')) hud.everybody.value = undefined
    if (!isWanted.value || !mayRun(hud, 'who')) return undefined
    ask()
    const again = setInterval(ask, everyMs)
    return () => clearInterval(again)
  })
}
