import { computed, effect } from '@preact/signals'
import type { Session } from '../../sdk/client.ts'
import { findCommand } from '../state/command-line.ts'
import { wantsNames } from '../state/complete-line.ts'
import { type Hud, mayRun } from '../state/hud.ts'
import { readPeople } from './people-answer.ts'

type Kind = 'groups' | 'zones'

/** The command that lists the names, and the name of the list in its answer. */
const lists = { groups: 'rbac:listgroups', zones: 'zones' } as const

const readNames = (data: unknown, kind: Kind): readonly string[] => {
  const list: unknown = typeof data === 'object' && data !== null ? Reflect.get(data, kind) : undefined
  if (!Array.isArray(list)) return []
  return list.flatMap((one: unknown) => {
    const name: unknown = typeof one === 'object' && one !== null ? Reflect.get(one, 'name') : undefined
    return typeof name === 'string' ? [name] : []
  })
}

/**
 * Requests names that Welcome lacks, once per connection, when the player types a command that takes them. Runs only list commands that
 * the player has. Returns a function to stop.
 */
export const learnNames = (session: Pick<Session, 'command' | 'on'>, hud: Hud): (() => void) => {
  const asked = new Set<Kind>()
  const ask = (kind: Kind): void => {
    asked.add(kind)
    session.command(`/${lists[kind]}`).then(
      ({ ok, data }) => {
        if (ok) hud[kind].value = [...new Set([...hud[kind].value, ...readNames(data, kind)])]
      },
      () => undefined,
    )
  }
  const stopWatching = effect(() => {
    const command = findCommand(hud.draft.value, hud.commands.value)
    if (command === undefined || !hud.draft.value.includes(' ')) return
    for (const kind of ['groups', 'zones'] as const)
      if (!asked.has(kind) && wantsNames(command, kind) && mayRun(hud, lists[kind])) ask(kind)
  })
  const stopForgetting = session.on('welcome', () => asked.clear())
  return () => {
    stopWatching()
    stopForgetting()
  }
}

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
