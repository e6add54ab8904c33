import type { Clock } from '../../shared/kernel/clock.ts'
import type { Log } from '../../shared/kernel/log.ts'
import type { StallWatch } from '../../shared/platform/process/stall-watch.ts'
import type { LiveValue } from './data/live-data.ts'
import { readOnly } from './data/read-only.ts'
import type { MemoryWatch } from './memory-watch.ts'
import type { RunningModule } from './running-module.ts'
import type { TimeLimit } from './time-limit.ts'

/**
 * What the code of a module may do.
 * - decide: read only
 * - act: read, and ask for effects, which happen after the code returned
 */
export type CallMode = 'decide' | 'act'

/**
 * What the code of a module returned.
 * - isCut: it was ended by the time limit
 * - isStalled: it was ended, but may not be the cause, because the process had little processor time
 * - isGone: the module stopped before it answered
 */
export type CallOutcome =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly error: unknown; readonly isCut?: true; readonly isStalled?: true; readonly isGone?: true }

/** The outcome of calls that a module cannot answer because it has stopped. */
export const gone: CallOutcome = { ok: false, error: new Error('The module was switched off.'), isGone: true }

export type ModuleCall = {
  readonly module: RunningModule
  /** The place in the definition, such as `on.joined`. */
  readonly label: string
  readonly mode: CallMode
  /** Its time does not count to the average of the module. */
  readonly isSpare?: true
  readonly run: () => unknown
  /** Called in the same tick, after the effects of the call; or with `gone`, if the module stops before its code runs. */
  readonly done?: (outcome: CallOutcome) => void
}

type Running = {
  readonly call: ModuleCall
  readonly effects: { readonly name: string; readonly run: () => void }[]
  /** The data that the code has opened, as JSON before its first use. Most calls open none. */
  opened: Map<LiveValue, string> | undefined
  outcome: CallOutcome | undefined
}

/**
 * The calls of a batch, one after the other. Each `yield` returns the outcome of its call, also if it was ended. Before other work a
 * source yields undefined, so that the time limit does not end that work.
 */
export type CallSource = Generator<ModuleCall | undefined, void, CallOutcome>

/** Runs the code of modules. Owned by the game loop. */
export type ModuleCalls = {
  /** Runs a batch under the time limit, and the effects of its calls in order. */
  run(source: CallSource): void
  /** Adds an effect to the running call. Throws in a `decide` handler, and outside of the code of that module. */
  addEffect(module: RunningModule, name: string, effect: () => void): void
  /** The number of effects of that name in the running call. */
  countEffects(name: string): number
  /**
   * Data of a module for its running code: read-only in a `decide` handler. Except in `on.tick`, it must fit its schema when the code
   * returns, and is put back if the code fails.
   */
  open(live: LiveValue | undefined): unknown
  /** The module whose code runs now. The watch thread names it. */
  current(): RunningModule | undefined
}

export type ModuleCallsDeps = {
  readonly limit: TimeLimit
  readonly cutMs: () => number
  readonly clock: Pick<Clock, 'monotonic'>
  /** A call has failed or was ended. Called within the tick, after the batch. */
  readonly failed: (call: ModuleCall, outcome: CallOutcome & { readonly ok: false }) => void
  /** Notes the running module for the watch thread. */
  readonly watch: Pick<StallWatch, 'enter' | 'leave'>
  readonly memory: Pick<MemoryWatch, 'enter' | 'leave'>
  readonly log: Log
}

/** After this time a batch goes on under a new limit, so that the limit ends code of modules and not of the server. */
const sliceMs = 20

const cutOff: CallOutcome = { ok: false, error: undefined, isCut: true }
const stalled: CallOutcome = { ok: false, error: undefined, isCut: true, isStalled: true }
/** The outcome that a generator gets first, and after a pause. It is never read. */
const nothingYet: CallOutcome = { ok: true, value: undefined }

/** Handlers of this run 20 times a second, and may read the data of all players. */
const keepsData = 'on.tick'

/** Undefined for a value that is not JSON. */
const textOf = (value: unknown): string | undefined => {
  try {
    return JSON.stringify(value)
  } catch {
    return undefined
  }
}

const putBack = ({ opened }: Running): void => {
  for (const [live, text] of opened ?? []) if (textOf(live.value) !== text) live.value = JSON.parse(text)
}

/** The fault of data that the code has changed, such as a number with a fraction where the schema has integers. */
const checkOpened = ({ opened }: Running): CallOutcome | undefined => {
  for (const [live, text] of opened ?? []) {
    const fault = textOf(live.value) === text ? undefined : live.findFault()
    if (fault !== undefined)
      return { ok: false, error: new Error(`Data that the handler has changed cannot be stored: ${fault}`) }
  }
  return undefined
}

const isThenable = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'

export const createModuleCalls = ({ limit, cutMs, clock, failed, watch, memory, log }: ModuleCallsDeps): ModuleCalls => {
  let current: Running | undefined
  let startedMs = 0

  /** The code of a call has returned, or was ended. */
  const end = ({ call: { module, label, isSpare } }: Running): void => {
    current = undefined
    watch.leave()
    memory.leave(module.name)
    const nowMs = clock.monotonic()
    const tookMs = nowMs - startedMs
    if (isSpare !== true) module.tickMs += tookMs
    module.longestMs = Math.max(module.longestMs, tookMs)
    module.costs.add(label, tookMs, nowMs)
  }

  const start = (calls: Running[], call: ModuleCall): CallOutcome => {
    const running: Running = { call, effects: [], opened: undefined, outcome: undefined }
    calls.push(running)
    const { module } = call
    startedMs = clock.monotonic()
    current = running
    watch.enter(module.name)
    memory.enter()
    let outcome: CallOutcome
    try {
      const value = call.run()
      outcome = isThenable(value)
        ? {
            ok: false,
            error: new Error('The handler returned a promise. Handlers end within a tick: use game.later for other work.'),
          }
        : (checkOpened(running) ?? { ok: true, value })
    } catch (error) {
      outcome = { ok: false, error }
    }
    running.outcome = outcome
    if (!outcome.ok) putBack(running)
    end(running)
    return outcome
  }

  const settle = (calls: readonly Running[], ended: CallOutcome): void => {
    for (const { call, effects, outcome = ended } of calls) {
      try {
        if (outcome.ok) for (const effect of effects) effect.run()
        else failed(call, outcome)
        call.done?.(outcome)
      } catch (error) {
        log.error({ err: error, module: call.module.name, handler: call.label }, 'an effect of a module failed')
      }
    }
  }

  return {
    run: (source) => {
      if (current !== undefined) throw new Error('Code of modules started code of modules.')
      let next = source.next(nothingYet)
      while (!next.done) {
        const calls: Running[] = []
        const batchMs = clock.monotonic()
        const timed = limit(() => {
          while (!next.done) {
            const outcome = next.value === undefined ? nothingYet : start(calls, next.value)
            // The server's own code must not be ended, so it runs outside of the limit after a long call.
            if (clock.monotonic() - batchMs > sliceMs) return
            next = source.next(outcome)
          }
        }, cutMs())
        if (current !== undefined) {
          putBack(current)
          end(current)
        }
        const ended = timed === 'stalled' ? stalled : cutOff
        if (!next.done) next = source.next(next.value === undefined ? nothingYet : (calls.at(-1)?.outcome ?? ended))
        settle(calls, ended)
      }
    },
    addEffect: (module, name, effect) => {
      if (current?.call.module !== module)
        throw new Error(
          `${name} works only while a handler of the module runs. After an await, return the result to \`then\` of game.later.`,
        )
      if (current.call.mode === 'decide') throw new Error(`${name} is not possible in \`decide\`, where the world is read-only.`)
      current.effects.push({ name, run: effect })
    },
    countEffects: (name) => current?.effects.filter((effect) => effect.name === name).length ?? 0,
    open: (live) => {
      if (live === undefined || current === undefined) return live?.value
      if (current.call.mode === 'decide') return readOnly(live.value)
      if (current.call.label !== keepsData && !current.opened?.has(live)) {
        const text = textOf(live.value)
        current.opened ??= new Map()
        if (text !== undefined) current.opened.set(live, text)
      }
      return live.value
    },
    current: () => current?.call.module,
  }
}
