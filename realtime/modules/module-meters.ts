import type { HandlerCost, ModuleFault } from '../../shared/domain/modules/module-status.ts'
import type { ModulesConfig } from '../../shared/domain/modules/modules-config.ts'
import type { Clock } from '../../shared/kernel/clock.ts'
import type { Log } from '../../shared/kernel/log.ts'
import type { RealtimeMetrics } from '../metrics/realtime-metrics.ts'
import type { MemoryWatch } from './memory-watch.ts'
import type { CallOutcome, ModuleCall } from './module-calls.ts'
import type { RunningModule } from './running-module.ts'

/** A module, as admins see it. */
export type RunningState = {
  readonly name: string
  readonly state: 'running' | 'slowed' | 'off'
  readonly reason: string | undefined
  readonly msPerTick: number
  readonly handlers: readonly HandlerCost[]
  readonly faults: number
  readonly fault: ModuleFault | undefined
}

export type ModuleMetersDeps = {
  readonly config: () => Pick<ModulesConfig, 'budget'>
  readonly metrics: RealtimeMetrics['modules']
  readonly memory: MemoryWatch
  readonly switchOff: (module: RunningModule, why: string) => void
  /** A state has changed. */
  readonly changed: () => void
  /** Tells admins about a module. */
  readonly announce: (text: string) => void
  readonly clock: Pick<Clock, 'monotonic'>
  readonly log: Log
}

/** Calls that are ended while the process stalls may be innocent. At this number of them within that time the module is switched off. */
const stallsMax = 3
const stallsWithinMs = 10 * 60_000

const cutError = ({ module, label }: ModuleCall, cutMs: number, isStalled: boolean): Error =>
  new Error(
    isStalled
      ? `The handler ${label} was ended after ${cutMs} ms, in which the process had little processor time.`
      : `The handler ${label} was ended after ${cutMs} ms. Fix its endless loop, then enter /module reload ${module.name}.`,
  )

/** The time, memory and faults of modules: reports them, slows modules and switches them off. */
export const createModuleMeters = (deps: ModuleMetersDeps) => {
  const { config, metrics, memory, switchOff, changed, announce, clock, log } = deps

  /** Notes a call that was ended while the process stalled. Returns false at the third within ten minutes. */
  const mayStallAgain = (module: RunningModule): boolean => {
    const nowMs = clock.monotonic()
    module.stalledAtMs = [...module.stalledAtMs.filter((atMs) => nowMs - atMs < stallsWithinMs), nowMs]
    return module.stalledAtMs.length < stallsMax
  }

  const meter = (module: RunningModule, ticks: number, nowMs: number): void => {
    const { tickMs, longestMs, pace } = module
    module.tickMs = 0
    module.longestMs = 0
    if (module.isOff) return
    if (tickMs > 0) metrics.observeTick(module.name, tickMs / 1000)
    const change = pace.tick({ ranMs: tickMs, longestMs, didRun: ticks % pace.every() === 0, nowMs })
    if (change === undefined) return
    const text = pace.reason()
    if (change === 'off') switchOff(module, text)
    else if (change === 'recovered') {
      module.reason = undefined
      log.info({ module: module.name }, 'the module runs in every tick again')
    } else {
      module.reason = text
      log.warn({ module: module.name, every: pace.every() }, `the module was slowed: ${text}`)
      announce(`The module ${module.name} was slowed: ${text}.`)
    }
    changed()
  }

  const noteMemory = (modules: readonly RunningModule[], nowMs: number): void => {
    const notice = memory.step(nowMs)
    if (notice === undefined) return
    const module = modules.find(({ name }) => name === notice.module)
    log.error({ module: notice.module }, notice.text)
    module?.faults.add('memory', new Error(notice.text))
    announce(notice.text)
  }

  return {
    /** Notes a call that threw or was cut off. Returns the id of the fault. */
    noteFailed: (call: ModuleCall, outcome: Extract<CallOutcome, { readonly ok: false }>): string => {
      const { module, label } = call
      const { cutMs } = config().budget
      const error = outcome.isCut === true ? cutError(call, cutMs, outcome.isStalled === true) : outcome.error
      const id = module.faults.add(label, error)
      metrics.countFault(module.name)
      if (outcome.isCut === true) metrics.countCut(module.name)
      if (outcome.isStalled === true && mayStallAgain(module)) return id
      if (outcome.isCut === true) switchOff(module, `${label} was ended after ${cutMs} ms`)
      else if (module.faults.isFlood()) switchOff(module, 'its handlers failed 20 times a second for five seconds')
      return id
    },
    /** Runs at the end of each tick. */
    step: (modules: readonly RunningModule[], ticks: number, nowMs: number): void => {
      for (const module of modules) meter(module, ticks, nowMs)
      noteMemory(modules, nowMs)
    },
    describe: ({ name, isOff, reason, pace, costs, faults }: RunningModule): RunningState => ({
      name,
      state: isOff ? 'off' : pace.every() > 1 ? 'slowed' : 'running',
      reason,
      msPerTick: isOff ? 0 : pace.msPerTick(),
      handlers: costs.slowest(clock.monotonic()),
      faults: faults.count(),
      fault: faults.last(),
    }),
  }
}
