import type { CallModule } from '../../shared/domain/modules/data/data-kind.ts'
import type { ModuleSources } from '../../shared/domain/modules/module-source.ts'
import { decidePermission } from '../../shared/domain/permissions/decide-permission.ts'
import type { WorldLease } from '../../shared/domain/worlds/leases/world-lease.ts'
import type { WorldRecord } from '../../shared/domain/worlds/world.ts'
import { hashSecret } from '../../shared/kernel/ids.ts'
import { createStallWatch } from '../../shared/platform/process/stall-watch.ts'
import type { Services } from '../../shared/services/wire-services.ts'
import type { CommandList } from '../commands/command-list.ts'
import type { Game } from '../game/game.ts'
import type { RealtimeMetrics } from '../metrics/realtime-metrics.ts'
import type { GameZones } from '../zones/game-zones.ts'
import { createModuleValues } from './data/module-values.ts'
import { followModuleOrders } from './follow-orders.ts'
import { createGameModules, type GameModules } from './game-modules.ts'
import { createMemoryWatch } from './memory-watch.ts'
import { createModuleHost, type ModuleHost } from './module-host.ts'
import { type ModuleReporter, reportModules } from './report-modules.ts'
import { catchStrayErrors } from './stray-errors.ts'
import { callWithin, createTimeLimit } from './time-limit.ts'

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
    if (!decidePermission(rules, 'admin.modules.read', { verified, privileged: true }).allowed) continue
    connection?.send({ $case: 'notice', value: { severity: 'warning', kind: 'module', text } })
  }
}

export type ComposeModulesDeps = Pick<Services, 'accountStore' | 'clock' | 'configs' | 'events' | 'ids' | 'log' | 'nodeReports'> &
  Pick<Services, 'permissions' | 'store'> & {
    readonly nodeId: string
    readonly world: { readonly record: Pick<WorldRecord, 'id' | 'name'>; readonly lease: Pick<WorldLease, 'isHeld' | 'fence'> }
    /** Ticks per second. */
    readonly tickRate: number
    readonly sources: ModuleSources | undefined
    readonly commandList: CommandList
    readonly zones: Pick<GameZones, 'zoneAt' | 'list' | 'find'>
    readonly metrics: Pick<RealtimeMetrics, 'modules'>
    readonly resetZone: (zoneId: string, snapshot: string, signal: AbortSignal) => Promise<void>
    /** Of the random numbers of modules. */
    readonly seed?: number
  }

export type ComposedModules = {
  readonly modules: GameModules
  readonly host: ModuleHost
  /** Writes all values of modules that have changed. Rejects with AppError. */
  flush(): Promise<number>
  /** Keeps the process running after faults of modules outside of their handlers. Returns a function that ends it. */
  catchErrors(): () => void
  /** Reports the modules, and follows orders and events of other processes. Returns a function that ends it. */
  link(): Promise<() => void>
}

/** The modules of a game, and the host that loads them. */
export const composeModules = (deps: ComposeModulesDeps, getGame: () => Game, enqueue: Game['enqueue']): ComposedModules => {
  const { store, events, nodeReports, nodeId, world, tickRate } = deps
  const { clock, configs, ids, log, permissions, sources, commandList, zones, resetZone, metrics } = deps
  const { seed = Number.parseInt(hashSecret(ids.secret()).slice(0, 8), 16) } = deps
  const limit = createTimeLimit()
  const config = () => configs.get('modules.yaml')
  /** Migrations run outside of ticks, and under the same limit. */
  const call: CallModule = (run) => {
    const { cutMs } = config().budget
    const returned = callWithin(limit, run, cutMs)
    if (returned === undefined) throw new Error(`it was ended after ${cutMs} ms`)
    return returned.value
  }
  const values = createModuleValues({
    store,
    worldId: world.record.id,
    lease: world.lease,
    tickRate,
    call,
    bytesMax: () => config().budget.recordBytesMax,
    wrote: (name, written) => metrics.modules.countRecordWrites(name, written),
    report: (name, what) => {
      const module = modules.find(name)
      if (module === undefined) log.error({ module: name, cause: what }, 'data of a module has a fault')
      else module.faults.add('data', new Error(what))
    },
    clock,
    ids,
    log,
  })
  const modules: GameModules = createGameModules({
    getGame,
    values,
    emitted: (event) => void events.publish('module-event', { nodeId, ...event }),
    zones,
    config,
    limit,
    resetZone,
    random: createRandom(seed),
    changed: () => getGame().access.review(getGame().sessions.all()),
    announce: (text) => tellAdmins(getGame(), text),
    metrics: metrics.modules,
    openWatch: createStallWatch,
    memory: createMemoryWatch(),
    clock,
    ids,
    log,
  })
  let reporter: ModuleReporter | undefined
  const host = createModuleHost({
    sources,
    modules,
    values,
    sessions: () => getGame().sessions.all(),
    commandList,
    permissionNames: permissions.names,
    configs,
    limit,
    enqueue,
    report: async () => reporter?.tell(),
    clock,
    ids,
    log,
  })
  return {
    modules,
    host,
    flush: values.flush,
    catchErrors: () => catchStrayErrors({ modules, log }),
    link: async () => {
      const started = reportModules({ nodeId, nodeReports, host, log })
      reporter = started
      const stops = [started.end]
      const { name: worldName } = world.record
      stops.push(
        await followModuleOrders({ ...deps, nodeId, worldName, modules, host, values, enqueue }),
        await events.subscribe('module-event', ({ nodeId: sender, module, name, body }) => {
          if (sender !== nodeId) enqueue(() => modules.hear({ module, name, body }))
        }),
      )
      return () => {
        for (const stop of stops) stop()
      }
    },
  }
}
