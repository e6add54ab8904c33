import type { ModuleSources } from '../../shared/domain/modules/module-source.ts'
import { decidePermission } from '../../shared/domain/permissions/decide-permission.ts'
import { hashSecret } from '../../shared/kernel/ids.ts'
import type { Services } from '../../shared/services/services.ts'
import type { CommandList } from '../commands/command-list.ts'
import type { Game } from '../game/game.ts'
import type { RealtimeMetrics } from '../metrics/realtime-metrics.ts'
import type { GameZones } from '../zones/game-zones.ts'
import { createGameModules, type GameModules } from './game-modules.ts'
import { createModuleHost, type ModuleHost } from './module-host.ts'
import { createTimeLimit } from './time-limit.ts'

/** Random numbers from 0 to 1, 1 excluded, the same for the same seed (mulberry32). */
const createRandom = (seed: number): (() => number) => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Sends a notice to the connected players who may read the state of modules. */
const tellAdmins = ({ sessions, access }: Game, text: string): void => {
  for (const session of sessions.all()) {
    const { verified, connection } = session
    const rules = access.rulesHere(session)
    if (!decidePermission(rules, 'command.module', { verified, privileged: true }).allowed) continue
    connection?.send({ $case: 'notice', value: { severity: 'warning', kind: 'module', text } })
  }
}

export type ComposeModulesDeps = Pick<Services, 'clock' | 'configs' | 'ids' | 'log' | 'permissions'> & {
  readonly sources: ModuleSources | undefined
  readonly commandList: CommandList
  readonly metrics: Pick<RealtimeMetrics, 'modules'>
  readonly zones: Pick<GameZones, 'zoneAt' | 'list' | 'find'>
  readonly resetZone: (zoneId: string, snapshot: string, signal: AbortSignal) => Promise<void>
  /** Of the random numbers of modules. */
  readonly seed?: number
}

/** The modules of a game, and the host that loads them. */
export const composeModules = (
  deps: ComposeModulesDeps,
  getGame: () => Game,
  enqueue: Game['enqueue'],
): { readonly modules: GameModules; readonly host: ModuleHost } => {
  const { clock, configs, ids, log, permissions, sources, commandList, zones, resetZone, metrics } = deps
  const { seed = Number.parseInt(hashSecret(ids.secret()).slice(0, 8), 16) } = deps
  const limit = createTimeLimit()
  const modules = createGameModules({
    getGame,
    zones,
    config: () => configs.get('modules.yaml'),
    limit,
    resetZone,
    random: createRandom(seed),
    changed: () => getGame().access.review(getGame().sessions.all()),
    announce: (text) => tellAdmins(getGame(), text),
    metrics: metrics.modules,
    clock,
    ids,
    log,
  })
  const host = createModuleHost({
    sources,
    modules,
    commandList,
    permissionNames: permissions.names,
    configs,
    limit,
    enqueue,
    clock,
    ids,
    log,
  })
  return { modules, host }
}
