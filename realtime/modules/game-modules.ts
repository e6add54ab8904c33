import { isDeepStrictEqual } from 'node:util'
import type { ModuleAdvice } from '../../shared/domain/explain/check-modules.ts'
import type { EventName } from '../../shared/domain/modules/module-spec.ts'
import type { ModuleEntry, ModulesConfig } from '../../shared/domain/modules/modules-config.ts'
import type { Clock } from '../../shared/kernel/clock.ts'
import type { Ids } from '../../shared/kernel/ids.ts'
import type { Log } from '../../shared/kernel/log.ts'
import type { StallWatch } from '../../shared/platform/process/stall-watch.ts'
import type { PlayerAction } from '../commands/module-control.ts'
import type { Game } from '../game/game.ts'
import type { ModuleHooks, StopReason } from '../game/module-hooks.ts'
import type { RealtimeMetrics } from '../metrics/realtime-metrics.ts'
import type { Session } from '../sessions/session.ts'
import type { GameZones } from '../zones/game-zones.ts'
import type { ModuleValues } from './data/module-values.ts'
import { createHandlerCosts } from './handler-costs.ts'
import { createLaterAnswers } from './later.ts'
import type { MemoryWatch } from './memory-watch.ts'
import { type CallSource, createModuleCalls, gone, type ModuleCall } from './module-calls.ts'
import { createModuleContext, type ModuleContext, type ModuleEvent } from './module-context.ts'
import { createModuleDecisions } from './module-decisions.ts'
import { createModuleFaults, stackOf } from './module-faults.ts'
import {
  createModuleMessages,
  isRefusal,
  type MessageSender,
  type ModuleAnswer,
  type ModuleMessages,
  mayUse,
} from './module-messages.ts'
import { createModuleMeters, type RunningState } from './module-meters.ts'
import { createModulePace } from './module-pace.ts'
import { createModulePlayers, type ModulePlayer, type ModulePlayers } from './module-player.ts'
import { createSchedules, findDueSchedules, runJobs, runTimers } from './module-timers.ts'
import { createModuleWorld } from './module-world.ts'
import type { PreparedModule, RunningModule } from './running-module.ts'
import type { TimeLimit } from './time-limit.ts'

/** The modules in the game. */
export type GameModules = ModuleHooks & {
  /** Runs a function of a module in the next step, and answers with its value or that of its `game.later`. */
  ask(module: RunningModule, label: string, run: (game: ModuleContext) => unknown, answer: (answer: ModuleAnswer) => void): void
  /** Passes a message of any sender to its module. */
  readonly receiveFrom: ModuleMessages['receive']
  /** A caller over HTTP, as the module sees them. */
  readonly remotePlayer: ModulePlayers['ofRemote']
  /** What each deciding module says about an action of a player. Call it within a tick. */
  advise(playerId: string, action: PlayerAction): readonly ModuleAdvice[]
  /** Passes an event of a module of another node to the modules here. */
  hear(event: ModuleEvent): void
  /** Notes an error outside of handlers as a fault of the module in its stack. Returns false if there is none. */
  noteStray(error: unknown): boolean
  /**
   * Replaces the modules between two ticks. Modules that stay the same objects are not touched. `between` is called after `on.stop` of
   * the old modules, `replaced` before players hear of it.
   */
  replace(next: readonly PreparedModule[], reason: StopReason, between: () => void, replaced: () => void): void
  /** Applies another entry of `modules.yaml` with its parsed settings. */
  configure(module: RunningModule, entry: ModuleEntry, settings: unknown): void
  /** Tells a module about changed configs. */
  noteConfigs(module: RunningModule, names: readonly string[]): void
  find(name: string): RunningModule | undefined
  list(): readonly RunningModule[]
  states(): readonly RunningState[]
  /** A player of this node, as the module sees it. */
  findPlayer(module: RunningModule, playerId: string | undefined): ModulePlayer | undefined
}

export type GameModulesDeps = {
  readonly getGame: () => Game
  readonly values: ModuleValues
  readonly zones: Pick<GameZones, 'zoneAt' | 'list' | 'find'>
  /** Passes an event of a module on to the other nodes. */
  readonly emitted: (event: ModuleEvent) => void
  readonly config: () => ModulesConfig
  readonly limit: TimeLimit
  readonly resetZone: (zoneId: string, snapshot: string, signal: AbortSignal) => Promise<void>
  readonly random: () => number
  /** The list of modules or a state has changed. */
  readonly changed: () => void
  /** Tells admins about a module. */
  readonly announce: (text: string) => void
  readonly metrics: RealtimeMetrics['modules']
  /** Starts the thread that watches the loop. Called when there are modules. */
  readonly openWatch: () => StallWatch
  readonly memory: MemoryWatch
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
}

const goneReason = ({ name }: RunningModule): string => `The module ${name} stopped before it answered. Try again in a moment.`

/** How often schedules are checked. */
const cronEveryTicks = 10

/** Stopped modules that are remembered. */
const stoppedRemembered = 20

/** The number of messages of one session that wait for their replies. */
const inFlightMax = 16

const noBody = new Uint8Array()

export const createGameModules = (deps: GameModulesDeps): GameModules => {
  const {
    getGame,
    values,
    zones,
    emitted,
    config,
    limit,
    resetZone,
    random,
    changed,
    announce,
    metrics,
    openWatch,
    memory,
    clock,
    ids,
    log,
  } = deps
  let modules: readonly RunningModule[] = []
  const contexts = new WeakMap<RunningModule, ModuleContext>()
  let handlers: ReadonlyMap<EventName, readonly RunningModule[]> = new Map()
  let queue: ModuleCall[] = []
  let ticks = 0
  let stallWatch: StallWatch | undefined
  const watch: Omit<StallWatch, 'close'> = {
    beat: () => stallWatch?.beat(),
    enter: (name) => stallWatch?.enter(name),
    leave: () => stallWatch?.leave(),
    changePending: (name, by) => stallWatch?.changePending(name, by),
  }
  let stopReason: StopReason | undefined
  const zoneOf = new WeakMap<Session, string>()
  /** The ids of faults, for answers to callers. */
  const faultIds = new WeakMap<ModuleCall, string>()

  /** None of its code runs from now on. Callers who wait for its answers get `gone`. */
  const end = (module: RunningModule): void => {
    module.isOff = true
    module.ended.abort()
    module.timers.clear()
    module.jobs.length = 0
    const dropped = queue.filter((call) => call.module === module)
    queue = queue.filter((call) => call.module !== module)
    for (const { done } of dropped) done?.(gone)
    laters.end(module)
  }

  const switchOff = (module: RunningModule, why: string): void => {
    if (module.isOff) return
    end(module)
    module.reason = why
    log.error({ module: module.name }, `the module was switched off: ${why}`)
    announce(`The module ${module.name} was switched off: ${why}.`)
    changed()
  }

  const meters = createModuleMeters({ config, metrics, memory, switchOff, changed, announce, clock, log })

  const calls = createModuleCalls({
    limit,
    cutMs: () => config().budget.cutMs,
    clock,
    failed: (call, outcome) => faultIds.set(call, meters.noteFailed(call, outcome)),
    watch,
    memory,
    log,
  })
  const players = createModulePlayers({ getGame, calls, values, countBytes: metrics.countBytes })
  const laters = createLaterAnswers()
  const callLater = (call: ModuleCall): void => {
    queue.push(call)
  }
  const runNow = (call: ModuleCall): void => {
    const source = function* (): CallSource {
      yield call
    }
    calls.run(source())
  }
  const world = createModuleWorld({
    getGame,
    zones,
    calls,
    players,
    callLater: (module, label, run) => callLater({ module, label, mode: 'act', run }),
    resetZone,
  })
  const hear = (event: ModuleEvent): void => {
    for (const module of handlers.get('event') ?? []) noteFor(module, 'event', event)
  }
  const contextDeps = {
    getGame,
    calls,
    players,
    values,
    emit: (event: ModuleEvent) => {
      hear(event)
      emitted(event)
    },
    world,
    laters,
    clock,
    watch,
    log,
    timersMax: () => config().budget.timersMax,
    ticks: () => ticks,
    random,
    runNow,
    callLater,
  }

  const contextOf = (module: RunningModule): ModuleContext => {
    const known = contexts.get(module) ?? createModuleContext(contextDeps, module)
    contexts.set(module, known)
    return known
  }

  const create = (prepared: PreparedModule): RunningModule => {
    const { spec, code } = prepared
    return {
      ...prepared,
      name: spec.name,
      timers: new Set(),
      jobs: [],
      schedules: createSchedules(spec, clock.now()),
      faults: createModuleFaults({ name: spec.name, code, clock, ids, log }),
      pace: createModulePace(() => config().budget, spec),
      costs: createHandlerCosts(),
      ended: new AbortController(),
      stalledAtMs: [],
      isOff: false,
      reason: undefined,
      tickMs: 0,
      longestMs: 0,
    }
  }

  const callOf = (module: RunningModule, name: EventName, event: object): ModuleCall | undefined => {
    const run = module.spec.on.get(name)
    return run && { module, label: `on.${name}`, mode: 'act', run: () => run(event, contextOf(module)) }
  }

  const noteFor = (module: RunningModule, name: EventName, event: object): void => {
    const call = module.isOff ? undefined : callOf(module, name, event)
    if (call !== undefined) queue.push(call)
  }

  const ask: GameModules['ask'] = (module, label, run, answer) => {
    const call: ModuleCall = {
      module,
      label,
      mode: 'act',
      run: () => run(contextOf(module)),
      done: (first) =>
        laters.follow(first, (outcome) => {
          if (!outcome.ok && outcome.isGone) answer({ kind: 'refused', reason: goneReason(module) })
          else if (!outcome.ok) answer({ kind: 'failed', id: faultIds.get(call) ?? module.faults.last()?.id ?? '' })
          else if (isRefusal(outcome.value)) answer({ kind: 'refused', reason: String(outcome.value.refuse) })
          else answer({ kind: 'value', value: outcome.value })
        }),
    }
    if (module.isOff) answer({ kind: 'refused', reason: `The module ${module.name} is switched off.` })
    else callLater(call)
  }

  const messages = createModuleMessages({
    find: (name) => modules.find((module) => module.name === name),
    ask,
    bytesMax: () => config().budget.messageBytesMax,
  })

  const decisions = createModuleDecisions({
    calls,
    players,
    contextOf,
    faultIdOf: (call) => faultIds.get(call),
    isHere: (session) => getGame().sessions.find(session.account.playerId) === session,
    log,
  })

  const hasWork = (): boolean =>
    queue.length > 0 || handlers.has('tick') || modules.some(({ timers, jobs }) => timers.size + jobs.length > 0)

  const queueSchedules = (): void => {
    if (ticks % cronEveryTicks !== 0) return
    for (const { module, name, run } of findDueSchedules(modules, clock.now()))
      queue.push({ module, label: `schedules.${name}`, mode: 'act', run: () => run(contextOf(module)) })
  }

  const runStep = function* (nowMs: number, dtMs: number): CallSource {
    const taken = queue
    queue = []
    for (const call of taken)
      if (call.module.isOff) call.done?.(gone)
      else yield call
    for (const module of modules) {
      if (module.isOff || ticks % module.pace.every() !== 0) continue
      yield* runTimers(module, nowMs)
      const tick = callOf(module, 'tick', { dtMs: dtMs * module.pace.every() })
      if (tick !== undefined && !module.isOff) yield tick
    }
    const spentMs = modules.reduce((sum, { tickMs }) => sum + tickMs, 0)
    yield* runJobs(modules, Math.max(1, config().budget.allMsPerTick - spentMs), clock)
  }

  let steppedMs: number | undefined

  const setModules = (next: readonly RunningModule[]): void => {
    modules = next
    decisions.setModules(next)
    const found = new Map<EventName, RunningModule[]>()
    for (const module of next) for (const name of module.spec.on.keys()) found.set(name, [...(found.get(name) ?? []), module])
    handlers = found
  }

  /** Stopped modules, whose own timers may still run. */
  let stopped: readonly RunningModule[] = []

  const stopModule = (module: RunningModule, reason: StopReason): void => {
    const call = module.isOff ? undefined : callOf(module, 'stop', { reason })
    if (call !== undefined) runNow(call)
    end(module)
    stopped = [module, ...stopped].slice(0, stoppedRemembered)
  }

  return {
    ...decisions,
    advise: (playerId, action) => {
      const { sessions, world: gameWorld } = getGame()
      const session = sessions.find(playerId)
      if (action.kind === 'command') {
        const { name } = action
        return decisions.advise('command', session, (player) => ({ player, name, text: `/${name}` }))
      }
      const { x, y, z, type: to } = action
      const from = gameWorld.registry.idOf(gameWorld.loaded.blockAt(x, y, z) ?? 0)
      return decisions.advise('edit', session, (player) => ({ player, changes: [{ x, y, z, from, to }] }))
    },
    handles: (name) => handlers.has(name),
    note: (name, session, event) => {
      for (const module of handlers.get(name) ?? []) noteFor(module, name, event(players.of(module, session)))
    },
    noteEdited: ({ by, module: author }, changes) => {
      const session = by === '' ? undefined : getGame().sessions.find(by)
      for (const module of handlers.get('edited') ?? [])
        if (module.name !== author) noteFor(module, 'edited', { by: session && players.of(module, session), changes })
    },
    noteZone: (session) => {
      const before = zoneOf.get(session) ?? ''
      const { toldId } = session.zone
      const now = getGame().sessions.find(session.account.playerId) === session ? toldId : ''
      if (before === now) return
      zoneOf.set(session, now)
      const tell = (name: 'zoneEntered' | 'zoneLeft', id: string): void => {
        for (const module of handlers.get(name) ?? []) {
          const zone = zones.find(id)
          if (zone !== undefined)
            noteFor(module, name, { player: players.of(module, session), zone: world.describeZone(module, zone) })
        }
      }
      if (before !== '') tell('zoneLeft', before)
      if (now !== '') tell('zoneEntered', now)
    },
    ask,
    receiveFrom: messages.receive,
    remotePlayer: players.ofRemote,
    hear,
    noteStray: (error) => {
      const stack = stackOf(error)
      const owners = [...modules, ...stopped].filter(({ code }) => code.findPlace(stack) !== undefined)
      const [module] = owners
      // Modules of the test kit have no files of their own: then any of them could be the owner.
      if (module === undefined || owners.some(({ name }) => name !== module.name)) return false
      meters.noteFailed({ module, label: 'code outside of handlers', mode: 'act', run: () => undefined }, { ok: false, error })
      return true
    },
    loadPlayer: values.load,
    hasAllValues: values.hasAll,
    enter: values.enter,
    leave: values.leave,
    costOf: messages.costOf,
    receive: (session, { module, name, body }, answer) => {
      const answerWith = (code: string, reason: string, pointer?: string): void =>
        answer({ ok: false, body: noBody, code, reason, ...(pointer !== undefined && { pointer }) })
      const parsed = messages.parseBody(body)
      if (parsed === undefined) {
        answerWith('invalid-message', `The body must be JSON of at most ${config().budget.messageBytesMax} bytes.`)
        return
      }
      if (session.modulesInFlight >= inFlightMax) {
        answerWith('busy', `At most ${inFlightMax} messages to modules can wait for their replies. Try again in a moment.`)
        return
      }
      const { takeovers } = session
      session.modulesInFlight += 1
      const sender: MessageSender = {
        playerId: session.account.playerId,
        isOverHttp: false,
        may: (permission) => mayUse(getGame().access.rulesHere(session), permission, session.verified),
        playerFor: (running) => players.of(running, session),
      }
      messages.receive(sender, { module, name, params: parsed.params }, (outcome) => {
        session.modulesInFlight -= 1
        // The reply belongs to the sign-in that sent the message.
        if (session.takeovers !== takeovers) return
        if (!outcome.ok) answerWith(outcome.code, outcome.reason, outcome.pointer)
        else {
          const reply = outcome.reply === undefined ? noBody : Buffer.from(JSON.stringify(outcome.reply))
          answer({ ok: true, body: reply, code: '', reason: '' })
        }
      })
    },
    step: () => {
      const nowMs = getGame().nowMs()
      // Work of a module that is gone may still be pending, and is watched.
      watch.beat()
      if (modules.length > 0) {
        ticks += 1
        queueSchedules()
        if (hasWork()) calls.run(runStep(nowMs, nowMs - (steppedMs ?? nowMs)))
        steppedMs = nowMs
        meters.step(modules, ticks, nowMs)
      }
      if (stopReason !== undefined) {
        for (const module of modules) stopModule(module, stopReason)
        stallWatch?.close()
        stallWatch = undefined
      }
      values.step(nowMs)
    },
    stop: (reason) => {
      stopReason = reason
    },
    replace: (next, reason, between, replaced) => {
      for (const module of modules) if (!next.includes(module)) stopModule(module, reason)
      between()
      if (next.length > 0) stallWatch ??= openWatch()
      const started: RunningModule[] = []
      const all = next.map((prepared) => {
        const running = modules.find((module) => module === prepared)
        if (running !== undefined) return running
        const module = create(prepared)
        started.push(module)
        return module
      })
      setModules(all)
      for (const module of started) noteFor(module, 'start', {})
      replaced()
      changed()
    },
    configure: (module, entry, settings) => {
      const before = module.settings
      module.entry = entry
      module.settings = settings
      if (!isDeepStrictEqual(before, settings)) noteFor(module, 'settingsChanged', { before })
    },
    noteConfigs: (module, names) => noteFor(module, 'configsChanged', { names }),
    find: (name) => modules.find((module) => module.name === name),
    list: () => modules,
    states: () => modules.map(meters.describe),
    findPlayer: (module, playerId) => {
      const session = playerId === undefined ? undefined : getGame().sessions.find(playerId)
      return session && players.of(module, session)
    },
  }
}
