import type { DeletedAccounts } from '../domain/accounts/deleted-accounts.ts'
import { createDepartedPlayers } from '../domain/accounts/departed-players.ts'
import { forgetFailedSignIns } from '../domain/accounts/failed-sign-ins.ts'
import { forgetSignIns, signIns } from '../domain/accounts/sign-in-log.ts'
import type { AccountStore } from '../domain/accounts/store/account-store.ts'
import { type PruneAuditDeps, pruneAudit } from '../domain/audit/retention/prune-audit.ts'
import { pruneChat } from '../domain/chat/prune-chat.ts'
import type { Configs } from '../domain/configs/current/configs.ts'
import { erasePlayerData } from '../domain/modules/data/erase-player-data.ts'
import { modulePlayers } from '../domain/modules/data/module-data.ts'
import { playerIgnores } from '../domain/players/ignored-players.ts'
import { playerStates, savedPositionId, savedPositions } from '../domain/players/player-state.ts'
import type { ZoneSnapshots } from '../domain/zones/snapshots/zone-snapshots.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Ids } from '../kernel/ids.ts'
import type { Log } from '../kernel/log.ts'
import { repeat } from '../kernel/repeat.ts'
import { listFirstParts } from '../platform/storage/list-first-parts.ts'

const everyMsDefault = 600_000

/** Deletes data after its retention time: audit entries, chat, deleted accounts with their data, and snapshots of deleted zones. */
export type Retention = {
  /** Runs once, in slices, until `isOver`. Never rejects. */
  pass(isOver: () => boolean): Promise<void>
  /** Runs repeatedly, until the returned function is called. */
  keepUp(everyMs?: number): () => void
}

export type RetentionDeps = Omit<PruneAuditDeps, 'limits' | 'isOver'> & {
  readonly deletedAccounts: Pick<DeletedAccounts, 'has' | 'sweep'>
  readonly accountStore: Pick<AccountStore, 'findByPlayerId' | 'warnings'>
  readonly snapshots: Pick<ZoneSnapshots, 'sweep'>
  readonly configs: Pick<Configs, 'get'>
  readonly clock: Clock
  readonly ids: Pick<Ids, 'uuid'>
  readonly log: Log
}

const afterSlash = (id: string): string => id.slice(id.indexOf('/') + 1)
const idItself = (id: string): string => id

/** Data of players by playerId. Audit entries, chat, sanctions and reports have retention times of their own. */
const sources = [
  { name: signIns.name, playerIdOf: idItself },
  { name: playerStates.name, playerIdOf: idItself },
  { name: modulePlayers.name, playerIdOf: afterSlash },
  { name: savedPositions.name, playerIdOf: afterSlash },
]

export const createRetention = ({
  deletedAccounts,
  accountStore,
  snapshots,
  configs,
  ids,
  log,
  ...deps
}: RetentionDeps): Retention => {
  const { store, clock } = deps
  const limits = () => configs.get('server.yaml').audit
  const erase = async (playerId: string): Promise<void> => {
    await forgetSignIns(store, playerId)
    await forgetFailedSignIns(store, playerId)
    await store.delete(playerStates, playerId)
    await store.delete(playerIgnores, playerId)
    for (const worldId of await listFirstParts(store, savedPositions.name))
      await store.delete(savedPositions, savedPositionId(worldId, playerId))
    await erasePlayerData({ store, clock, ids }, playerId)
  }
  const departed = createDepartedPlayers({ store, clock, accountStore, deletedAccounts, sources, erase })
  const pass: Retention['pass'] = async (isOver) => {
    try {
      const entries = await pruneAudit({ ...deps, limits, isOver })
      if (entries > 0) log.info({ entries, ...limits() }, 'deleted audit entries that were too old or too many')
      const chatLimits = () => configs.get('server.yaml').chat
      const batches = await pruneChat({ ...deps, limits: chatLimits, isOver })
      if (batches > 0) log.info({ batches, ...chatLimits() }, 'deleted chat that was too old or too large')
      await deletedAccounts.sweep(isOver, erase)
      await snapshots.sweep(isOver)
      await departed.sweep(isOver)
    } catch (error) {
      if (!isOver())
        log.warn({ err: error }, 'old audit entries, chat, deleted accounts and snapshots cannot be deleted; retrying later')
    }
  }
  return {
    pass,
    keepUp: (everyMs = everyMsDefault) => {
      let isOver = false
      const stop = repeat(() => pass(() => isOver), everyMs)
      return () => {
        isOver = true
        stop()
      }
    },
  }
}
