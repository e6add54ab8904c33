import { computed, effect } from '@preact/signals'
import type { Session } from '../../sdk/client.ts'
import { type Everybody, type Hud, mayRun } from '../state/hud.ts'

/** The refresh interval while the list is open. */
const everyMs = 3_000

const textAt = (value: unknown, key: string): string | undefined => {
  const found: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined
  return typeof found === 'string' ? found : undefined
}

/** The players in an answer to `/who`, which lists the first hundred; undefined for other answers. */
export const readPeople = (data: unknown): Everybody | undefined => {
  const [list, count]: readonly unknown[] =
    typeof data === 'object' && data !== null ? [Reflect.get(data, 'players'), Reflect.get(data, 'count')] : []
  if (!Array.isArray(list)) return undefined
  const people = list.flatMap((one: unknown) => {
    const [displayName, world] = [textAt(one, 'displayName'), textAt(one, 'world')]
    return displayName === undefined ? [] : [{ displayName, world }]
  })
  return { people, count: typeof count === 'number' ? Math.max(count, people.length) : people.length }
}

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
