import { refuseLargeData } from '../../shared/domain/modules/data/data-kind.ts'
import type { Clock } from '../../shared/kernel/clock.ts'
import type { Log } from '../../shared/kernel/log.ts'
import type { StallWatch } from '../../shared/platform/process/stall-watch.ts'
import { type Dice, parseDice, rollDice } from '../../shared/rules/dice.ts'
import type { Game } from '../game/game.ts'
import type { Session } from '../sessions/session.ts'
import type { ModuleValues } from './data/module-values.ts'
import type { LaterAnswers } from './later.ts'
import { type CallOutcome, gone, type ModuleCall, type ModuleCalls } from './module-calls.ts'
import type { ModulePlayer, ModulePlayers } from './module-player.ts'
import type { ModuleWorld } from './module-world.ts'
import type { ModuleTimer, RunningModule } from './running-module.ts'

/** An event that a module sends to all modules. */
export type ModuleEvent = { readonly module: string; readonly name: string; readonly body: unknown }

export type ModuleContextDeps = {
  readonly getGame: () => Game
  readonly calls: Pick<ModuleCalls, 'addEffect' | 'countEffects' | 'open'>
  readonly players: ModulePlayers
  readonly values: Pick<ModuleValues, 'state' | 'records' | 'commit'>
  /** Passes an event on to all modules. */
  readonly emit: (event: ModuleEvent) => void
  readonly world: ModuleWorld
  readonly laters: LaterAnswers
  readonly clock: Clock
  readonly watch: Pick<StallWatch, 'changePending'>
  readonly log: Log
  readonly timersMax: () => number
  /** The number of the tick. */
  readonly ticks: () => number
  /** From 0 to 1, 1 excluded. */
  readonly random: () => number
  /** Runs code of a module now, outside of other code of modules. */
  readonly runNow: (call: ModuleCall) => void
  /** Runs code of a module in the next step. */
  readonly callLater: (call: ModuleCall) => void
}

type Point = { readonly x: number; readonly y: number; readonly z: number }

const getDice = (text: string): Dice => {
  const dice = parseDice(text)
  if (dice === undefined) throw new Error(`"${text}" is not dice. Write for example 2d6+3.`)
  return dice
}

const parseEventName = (name: unknown): string => {
  if (typeof name === 'string' && name !== '' && name.length <= 64) return name
  throw new Error('The name of an event has 1 to 64 characters.')
}

/** The body as the modules of other nodes get it too. Throws if it is not JSON or too large. */
const copyBody = (body: unknown): unknown => {
  if (body === undefined) return undefined
  refuseLargeData(body)
  return JSON.parse(JSON.stringify(body))
}

/** The object that handlers of a module get. Its members are described in `gatehouse/module`. */
export const createModuleContext = (deps: ModuleContextDeps, module: RunningModule) => {
  const { getGame, calls, players, values, emit, world, laters, clock, watch, log, timersMax, ticks, random, runNow, callLater } =
    deps
  const { name, timers } = module

  const startTimer = (label: string, ms: number, run: () => unknown, isRepeated: boolean): (() => void) => {
    if (!Number.isFinite(ms)) throw new Error(`game.${label} needs a number of milliseconds.`)
    const everyMs = Math.max(1, ms)
    const timer: ModuleTimer = { dueMs: 0, run, isEnded: false, ...(isRepeated && { everyMs }) }
    const pending = calls.countEffects('game.after') + calls.countEffects('game.every')
    if (timers.size + pending >= timersMax()) throw new Error(`The module has ${timersMax()} timers already. End one first.`)
    calls.addEffect(module, `game.${label}`, () => {
      timer.dueMs = getGame().nowMs() + ms
      if (!timer.isEnded) timers.add(timer)
    })
    return () => {
      timer.isEnded = true
      timers.delete(timer)
    }
  }

  const later = (
    work: (signal: AbortSignal) => unknown,
    then: (result: unknown) => unknown,
    failed?: (error: unknown) => unknown,
  ): object => {
    const { token, settle } = laters.create(module)
    const answer = (run: () => unknown): void => {
      const done = (outcome: CallOutcome): void => laters.follow(outcome, settle)
      if (module.ended.signal.aborted) settle(gone)
      else callLater({ module, label: 'later', mode: 'act', run, done })
    }
    const fail = (error: unknown): void =>
      answer(() => {
        if (failed === undefined) throw error
        return failed(error)
      })
    calls.addEffect(module, 'game.later', () => {
      let working: Promise<unknown> = Promise.resolve()
      const run = (): void => {
        const started = work(module.ended.signal)
        watch.changePending(name, 1)
        working = Promise.resolve(started).finally(() => watch.changePending(name, -1))
      }
      const started = (outcome: CallOutcome): void => {
        if (outcome.ok) getGame().later(working, (result) => answer(() => then(result)), fail)
        else settle(outcome)
      }
      runNow({ module, label: 'later work', mode: 'act', run, done: started })
    })
    return token
  }

  const listPlayers = function* (): Iterable<ModulePlayer> {
    for (const session of [...getGame().sessions.all()]) yield players.of(module, session)
  }
  const matches = (idOrName: string) => {
    const wanted = idOrName.toLowerCase()
    return ({ account }: Session): boolean => account.playerId === idOrName || account.displayName.toLowerCase() === wanted
  }
  const write =
    (level: 'info' | 'warn' | 'error') =>
    (text: string, fields: object = {}): void =>
      log[level]({ module: name, fields }, String(text))

  return {
    get settings() {
      return module.settings
    },
    get state() {
      return calls.open(values.state(name))
    },
    records: values.records(module.spec),
    commit: (writes: unknown) => values.commit(module.spec, writes),
    emit: (eventName: string, body: unknown) => {
      const event = { module: name, name: parseEventName(eventName), body: copyBody(body) }
      calls.addEffect(module, 'game.emit', () => emit(event))
    },
    world: world.create(module),
    players: {
      all: listPlayers,
      find: (idOrName: string): ModulePlayer | undefined => {
        const session = [...getGame().sessions.all()].find(matches(idOrName))
        return session && players.of(module, session)
      },
      *near({ x, y, z }: Point, radius: number): Iterable<ModulePlayer> {
        for (const player of listPlayers()) {
          const { place } = player
          if (Math.hypot(place.x - x, place.y - y, place.z - z) <= radius) yield player
        }
      },
    },
    time: {
      get tick() {
        return ticks()
      },
      nowMs: () => clock.now(),
      today: () => new Date(clock.now()),
    },
    random: {
      next: random,
      int: (below: number) => Math.floor(random() * below),
      dice: (text: string) => rollDice(getDice(text), random),
    },
    after: (ms: number, run: () => unknown) => startTimer('after', ms, run, false),
    every: (ms: number, run: () => unknown) => startTimer('every', ms, run, true),
    later,
    job: (jobName: string, work: () => Iterator<unknown>) =>
      calls.addEffect(module, 'game.job', () =>
        callLater({
          module,
          label: `job ${jobName}`,
          mode: 'act',
          run: () => {
            if (!module.jobs.some((known) => known.name === jobName)) module.jobs.push({ name: jobName, steps: work() })
          },
        }),
      ),
    log: { info: write('info'), warn: write('warn'), error: write('error') },
  }
}

/** What modules see of the game. One object for each module. */
export type ModuleContext = ReturnType<typeof createModuleContext>
