import { commandSwitches, commandSwitchesId } from '../../shared/domain/players/player-state.ts'
import type { Log } from '../../shared/kernel/log.ts'
import { repeat } from '../../shared/kernel/repeat.ts'
import type { Store, Version } from '../../shared/platform/storage/store.ts'
import type { LocalPlayers } from './local-players.ts'

const checkEveryMs = 5_000

type Here = Pick<LocalPlayers, 'readCommands'>

/** Finds commands that were switched on another node for a player of this node, in case the event was lost. */
export type SwitchWatch = {
  /** Polls every five seconds. Returns a function that stops it. */
  start(here: Here, everyMs?: number): () => void
  /** Polls now. Never rejects. */
  check(here: Here): Promise<void>
}

export const createSwitchWatch = ({ store, log }: { readonly store: Pick<Store, 'get'>; readonly log: Log }): SwitchWatch => {
  let known: Version | undefined
  let isAway = false

  const look = async (here: Here): Promise<void> => {
    const stored = await store.get(commandSwitches, commandSwitchesId)
    if (stored === undefined || stored.version === known) return
    const areRead = await Promise.all(stored.value.playerIds.map(here.readCommands))
    if (areRead.every((isRead) => isRead)) known = stored.version
  }

  const check = async (here: Here): Promise<void> => {
    try {
      await look(here)
      isAway = false
    } catch (error) {
      if (!isAway) log.warn({ err: error }, 'switched commands on other nodes cannot be read; retrying')
      isAway = true
    }
  }

  return { check, start: (here, everyMs = checkEveryMs) => repeat(() => check(here), everyMs) }
}
