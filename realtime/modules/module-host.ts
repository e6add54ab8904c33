import { isDeepStrictEqual } from 'node:util'
import type { Configs } from '../../shared/domain/configs/current/configs.ts'
import type { ConfigName } from '../../shared/domain/configs/declare/config-file.ts'
import type { EntryCheck } from '../../shared/domain/modules/admin/check-settings.ts'
import { createSchedule } from '../../shared/domain/modules/cron.ts'
import { type ModuleCode, ModuleNotLoaded, type ModuleSources } from '../../shared/domain/modules/module-source.ts'
import { type LoadedSpec, permissionsOf, readSpec } from '../../shared/domain/modules/module-spec.ts'
import type { ModuleFault, ModuleStatus } from '../../shared/domain/modules/module-status.ts'
import type { ModuleEntry, ModulesConfig } from '../../shared/domain/modules/modules-config.ts'
import type { PermissionNames } from '../../shared/domain/permissions/permission-names.ts'
import type { Clock } from '../../shared/kernel/clock.ts'
import { AppError, type Fault } from '../../shared/kernel/errors.ts'
import { findNearName } from '../../shared/kernel/find-near-name.ts'
import type { Ids } from '../../shared/kernel/ids.ts'
import type { Log } from '../../shared/kernel/log.ts'
import { createQueue } from '../../shared/kernel/queue.ts'
import type { CommandList } from '../commands/command-list.ts'
import type { ModuleControl } from '../commands/module-control.ts'
import type { StopReason } from '../game/module-hooks.ts'
import type { Session } from '../sessions/session.ts'
import type { ModuleValues } from './data/module-values.ts'
import type { GameModules } from './game-modules.ts'
import { findLost } from './lost-data.ts'
import { createModuleCommands, describeTakenNames } from './module-commands.ts'
import { describeThrown, stackOf } from './module-faults.ts'
import { parseSettings, readSettings } from './module-settings.ts'
import { createProfiler } from './profile.ts'
import type { PreparedModule, RunningModule } from './running-module.ts'
import { callWithin, type TimeLimit } from './time-limit.ts'

/** Loads modules, and swaps them between two ticks. */
export type ModuleHost = ModuleControl & {
  /** Loads all modules. Throws AppError `module-not-loaded` if a required one does not load. */
  start(): Promise<void>
  /** Applies `modules.yaml` as it is now, and tells the modules which configs have changed. */
  configsChanged(names: readonly ConfigName[]): Promise<void>
}

export type ModuleHostDeps = {
  /** Absent: the node has no modules. */
  readonly sources: ModuleSources | undefined
  readonly modules: GameModules
  readonly values: Pick<ModuleValues, 'check' | 'prepare' | 'setAsideOf'>
  readonly sessions: () => Iterable<Session>
  readonly commandList: CommandList
  readonly permissionNames: Pick<PermissionNames, 'declare'>
  readonly configs: Pick<Configs, 'get'>
  readonly limit: TimeLimit
  /** Runs a task in a later tick. */
  readonly enqueue: (task: () => void) => void
  /** Reports the modules as they are now, before the answer to a change. */
  readonly report: () => Promise<void>
  readonly clock: Pick<Clock, 'now'>
  readonly ids: Pick<Ids, 'uuid'>
  readonly log: Log
}

const defaultEntry: ModuleEntry = { enabled: true, required: false, whenOff: 'allow' }

/** Modules by `after`, then by name. A circle is broken by name. */
const sortModules = (modules: readonly PreparedModule[]): readonly PreparedModule[] => {
  const byName = new Map(
    modules.toSorted((a, b) => (a.spec.name < b.spec.name ? -1 : 1)).map((module) => [module.spec.name, module]),
  )
  const sorted = new Set<PreparedModule>()
  const visit = (module: PreparedModule, above: ReadonlySet<PreparedModule>): void => {
    if (sorted.has(module) || above.has(module)) return
    for (const name of module.spec.after) {
      const before = byName.get(name)
      if (before !== undefined) visit(before, new Set([...above, module]))
    }
    sorted.add(module)
  }
  for (const module of byName.values()) visit(module, new Set())
  return [...sorted]
}

/** A fault with its place in the definition as words: `on.joined must be a function`. */
const faultInFile = ({ file }: ModuleCode, { pointer, message }: Fault): Fault => ({
  message: pointer === undefined ? message : `${pointer.slice(1).replaceAll('/', '.')} ${message}`,
  ...(file !== undefined && { file }),
})

/** A module that did not load, and when. */
type Failure = { readonly fault: ModuleFault; readonly error: ModuleNotLoaded }

const findCronFaults = ({ schedules }: LoadedSpec): Fault[] =>
  [...schedules].flatMap(([name, { cron }]) => {
    try {
      createSchedule(cron, 0)
      return []
    } catch (error) {
      const reason = describeThrown(error).replace('CronPattern: ', '')
      return [{ pointer: `/schedules/${name}/cron`, message: `is not a cron expression of five fields: ${reason}` }]
    }
  })

const noSuchModule = (name: string): AppError =>
  new AppError('not-found', 'not-found', `The server has no module "${name}". Use /modules to list them.`)

const indent = (text: string): string => text.replace(/^/gm, '  ')

export const createModuleHost = (deps: ModuleHostDeps): ModuleHost => {
  const { sources, modules, values, sessions, commandList, permissionNames, configs, limit, enqueue, report } = deps
  const { clock, ids, log } = deps
  const profiler = createProfiler((name) => {
    if (sources === undefined) throw noSuchModule(name)
    return sources.openProfile(`${name}-${new Date(clock.now()).toISOString().slice(0, 19).replaceAll(':', '-')}`)
  }, log)
  const failures = new Map<string, Failure>()
  /** The last readable definition of each module. A module with faulty settings has one too, although it does not run. */
  const readable = new Map<string, LoadedSpec>()
  /** Started or ended by an admin, until the next start. */
  const switched = new Map<string, boolean>()
  const inTurn = createQueue()
  /** Changes modules. Other processes read the result before it resolves. */
  const change = <T>(run: () => Promise<T>): Promise<T> => inTurn(() => run().finally(report))
  const inTick = <T>(task: () => T): Promise<T> =>
    new Promise((resolve, reject) => {
      enqueue(() => {
        try {
          resolve(task())
        } catch (error) {
          reject(error)
        }
      })
    })
  let known: readonly string[] = []
  let takenNames: ReadonlyMap<string, readonly string[]> = new Map()
  let endPermissions = (): void => {}
  const config = (): ModulesConfig => configs.get('modules.yaml')
  const entryOf = (name: string): ModuleEntry => config().modules[name] ?? defaultEntry
  const isEnabled = (name: string): boolean => switched.get(name) ?? entryOf(name).enabled

  /** Runs the top level of the module under the time limit. */
  const evaluate = (code: ModuleCode): unknown => {
    const { cutMs } = config().budget
    let returned: { readonly value: unknown } | undefined
    try {
      returned = callWithin(limit, code.evaluate, cutMs)
    } catch (error) {
      throw new ModuleNotLoaded([{ message: describeThrown(error), ...code.findPlace(stackOf(error)) }])
    }
    if (returned === undefined)
      throw new ModuleNotLoaded([{ message: `The top level of the module was ended after ${cutMs} ms.` }])
    return returned.value
  }

  const isSame = (running: RunningModule, code: ModuleCode, entry: ModuleEntry): boolean =>
    code.text !== undefined && code.text === running.code.text && isDeepStrictEqual(entry, running.entry)

  /** With `onlyChanged` the running module itself, if its code and its entry are the same. */
  const prepare = async (name: string, onlyChanged = false): Promise<PreparedModule> => {
    if (sources === undefined) throw new ModuleNotLoaded([{ message: 'This node has no modules.' }])
    const entry = entryOf(name)
    const code = await sources.load(name, entry.package)
    const running = onlyChanged ? modules.find(name) : undefined
    if (running !== undefined && isSame(running, code, entry)) return running
    const read = readSpec(evaluate(code))
    if (!read.ok) throw new ModuleNotLoaded(read.faults.map((fault) => faultInFile(code, fault)))
    const { spec } = read
    if (spec.name !== name)
      throw new ModuleNotLoaded([
        faultInFile(code, {
          message: `name is '${spec.name}'; it must be '${name}', as ${entry.package === undefined ? 'the file' : 'the entry in modules.yaml'} is.`,
        }),
      ])
    const faults = findCronFaults(spec)
    if (faults.length > 0) throw new ModuleNotLoaded(faults.map((fault) => faultInFile(code, fault)))
    values.check(spec)
    readable.set(name, spec)
    return { spec, code, entry, settings: parseSettings(spec, entry) }
  }

  const noteFailure = (name: string, error: ModuleNotLoaded): void => {
    const [first] = error.faults
    const { file, line, column } = first ?? {}
    const message = error.faults
      .map((one) => (one.pointer === undefined ? one.message : `${one.pointer} ${one.message}`))
      .join('; ')
    const place = {
      ...(file !== undefined && { file }),
      ...(line !== undefined && { line }),
      ...(column !== undefined && { column }),
    }
    const id = ids.uuid().slice(0, 8)
    failures.set(name, { error, fault: { at: new Date(clock.now()).toISOString(), id, message, ...place } })
    log.error({ module: name, fault: id, cause: error.message }, 'a module was not loaded')
  }

  const tryPrepare = async (name: string, onlyChanged = false): Promise<PreparedModule | undefined> => {
    try {
      const prepared = await prepare(name, onlyChanged)
      failures.delete(name)
      return prepared
    } catch (error) {
      if (!(error instanceof ModuleNotLoaded)) throw error
      noteFailure(name, error)
      return undefined
    }
  }

  const findNames = async (): Promise<readonly string[]> => {
    const found = (await sources?.list()) ?? []
    known = [...new Set([...found, ...Object.keys(config().modules)])].sort()
    return known
  }

  const noteTakenNames = (): void => {
    const before = takenNames
    takenNames = describeTakenNames(commandList.all())
    for (const [module, texts] of takenNames)
      for (const text of texts) if (!before.get(module)?.includes(text)) log.warn({ module }, text)
  }

  /** Reads the values of the modules. Call the result to swap them between two ticks. */
  const prepareSwap = async (next: readonly PreparedModule[]): Promise<(reason: StopReason) => Promise<void>> => {
    const sorted = sortModules(next)
    const players = Array.from(sessions(), ({ account }) => account.playerId)
    const specs = sorted.map(({ spec }) => spec)
    const applyValues = await values.prepare(specs, players)
    return (reason) =>
      inTick(() => {
        endPermissions()
        endPermissions = permissionNames.declare(sorted.flatMap(({ spec }) => permissionsOf(spec)))
        const setCommands = (): void => {
          commandList.setModuleCommands(createModuleCommands(modules, commandList.own()))
          noteTakenNames()
        }
        modules.replace(sorted, reason, () => applyValues(sessions()), setCommands)
      })
  }

  const swap = async (next: readonly PreparedModule[], reason: StopReason): Promise<void> => (await prepareSwap(next))(reason)

  const refuseMissing = (names: readonly string[]): void => {
    const missing = names.find((name) => entryOf(name).required && failures.has(name))
    const failure = missing === undefined ? undefined : failures.get(missing)
    if (missing === undefined || failure === undefined) return
    const detail = `The module ${missing} is required in modules.yaml and does not load.\n${failure.error.message}`
    throw new AppError('unprocessable', 'module-not-loaded', detail, { errors: failure.error.faults })
  }

  const refuseLoss = (loaded: readonly PreparedModule[]): void => {
    const lost = loaded.flatMap(({ spec }) => {
      const running = modules.find(spec.name)
      return running === undefined ? [] : findLost(running.spec, spec).map((what) => `${spec.name}: ${what}`)
    })
    if (lost.length === 0) return
    const detail = `The new version would lose:\n${lost.join('\n')}`
    throw new AppError('conflict', 'would-lose', detail, { members: { lost } })
  }

  const describeFailed = (name: string, error: ModuleNotLoaded): string => {
    const running = modules.find(name)
    const what = running === undefined ? 'It does not run' : running.isOff ? 'It is off' : 'The version before still runs'
    return `Not loaded: ${name}. ${what}.\n${indent(error.message)}`
  }

  const notLoaded = (name: string, error: ModuleNotLoaded): AppError =>
    new AppError('unprocessable', 'module-not-loaded', describeFailed(name, error), { errors: error.faults })

  const others = (names: readonly string[]): readonly PreparedModule[] =>
    modules.list().filter(({ name }) => !names.includes(name))

  const load = async (name: string): Promise<PreparedModule> => {
    try {
      return await prepare(name)
    } catch (error) {
      if (!(error instanceof ModuleNotLoaded)) throw error
      // The running version stays, and shows the fault of its new one.
      noteFailure(name, error)
      throw notLoaded(name, error)
    }
  }

  const reloadAll = async (yes: boolean, onlyChanged: boolean): Promise<readonly string[]> => {
    const names = (await findNames()).filter(isEnabled)
    const prepared = await Promise.all(names.map((name) => tryPrepare(name, onlyChanged)))
    const loaded = prepared.filter((module) => module !== undefined)
    if (!yes) refuseLoss(loaded)
    const before = modules.list()
    const replaced = loaded.filter((module) => !before.some((running) => running === module)).map(({ spec }) => spec.name)
    const kept = before.filter(({ name }) => names.includes(name) && failures.has(name))
    await swap([...kept, ...loaded], 'reload')
    const failed = [...failures].filter(([name]) => names.includes(name))
    if (failed.length === 0) return replaced
    const lines = [
      ...(replaced.length > 0 ? [`Reloaded: ${replaced.join(', ')}.`] : []),
      ...failed.map(([name, { error }]) => describeFailed(name, error)),
    ]
    throw new AppError('unprocessable', 'module-not-loaded', lines.join('\n'), {
      errors: failed.flatMap(([, { error }]) => error.faults),
    })
  }

  const hasFaultySettings = (name: string): boolean => {
    const { pointer = '' } = failures.get(name)?.error.faults[0] ?? {}
    return pointer.startsWith(`/modules/${name}/settings`)
  }

  const applyEntry = (module: RunningModule): void => {
    const entry = entryOf(module.name)
    try {
      if (!isDeepStrictEqual(entry, module.entry)) modules.configure(module, entry, parseSettings(module.spec, entry))
      if (hasFaultySettings(module.name)) failures.delete(module.name)
    } catch (error) {
      if (!(error instanceof ModuleNotLoaded)) throw error
      // The previous settings stay active, and the module shows the fault of its new ones.
      noteFailure(module.name, error)
    }
  }

  const checkEntry = (
    name: string,
    settings: Readonly<Record<string, unknown>>,
    { names, files }: { readonly names: readonly string[]; readonly files: readonly string[] },
  ): EntryCheck => {
    const hasFile = files.includes(name)
    const running = modules.find(name)
    const isRunning = running !== undefined && !running.isOff
    const spec = readable.get(name)
    if (spec !== undefined) {
      const read = readSettings(spec, settings)
      return { isRunning, hasFile, faults: read.ok ? [] : [...read.faults] }
    }
    const failure = failures.get(name)?.error.message
    const nearest = names.includes(name) ? undefined : findNearName(name, names)
    return { isRunning, hasFile, ...(failure !== undefined && { failure }), ...(nearest !== undefined && { nearest }) }
  }

  const statusOf = (name: string): ModuleStatus => {
    const running = modules.find(name)
    const failure = failures.get(name)
    const state = modules.states().find((one) => one.name === name)
    const isGone = running === undefined || (running.isOff && failure !== undefined)
    const fault = failure?.fault ?? state?.fault
    return {
      name,
      version: running?.spec.version ?? running?.code.version ?? '',
      api: 1,
      state: isGone ? (failure === undefined ? 'disabled' : 'failed') : (state?.state ?? 'off'),
      ...(!isGone && state?.reason !== undefined && { reason: state.reason }),
      required: entryOf(name).required,
      ...(fault !== undefined && { fault }),
      msPerTick: isGone ? 0 : (state?.msPerTick ?? 0),
      handlers: isGone ? [] : (state?.handlers ?? []),
      faults: state?.faults ?? 0,
      setAside: values.setAsideOf(name),
      entities: 0,
      commands: commandList.all().flatMap((command) => (command.module === name ? command.name : [])),
      messages: Object.keys(running?.spec.declare.messages ?? {}),
      permissions: running === undefined ? [] : permissionsOf(running.spec),
    }
  }

  return {
    start: async () => {
      if (sources === undefined) return
      const names = (await findNames()).filter(isEnabled)
      const prepared = await Promise.all(names.map((name) => tryPrepare(name)))
      refuseMissing(names)
      const loaded = prepared.filter((module) => module !== undefined)
      if (loaded.length === 0) return
      const swapLoaded = await prepareSwap(loaded)
      // The first tick comes after the start.
      void swapLoaded('reload')
    },
    reload: (name, { yes = false, onlyChanged = false } = {}) =>
      change(async () => {
        if (name === undefined) return reloadAll(yes, onlyChanged)
        if (!(await findNames()).includes(name) && modules.find(name) === undefined) throw noSuchModule(name)
        const prepared = await load(name)
        if (!yes) refuseLoss([prepared])
        failures.delete(name)
        await swap([...others([name]), prepared], 'reload')
        return [name]
      }),
    setEnabled: (name, enabled) =>
      change(async () => {
        if (!(await findNames()).includes(name) && modules.find(name) === undefined) throw noSuchModule(name)
        if (enabled) {
          const prepared = await load(name)
          failures.delete(name)
          switched.set(name, true)
          await swap([...others([name]), prepared], 'reload')
          return
        }
        switched.set(name, false)
        failures.delete(name)
        await swap(others([name]), 'disabled')
      }),
    takenNames: (names) => names.flatMap((name) => takenNames.get(name) ?? []),
    advise: (playerId, action) => inTick(() => modules.advise(playerId, action)),
    profile: async (name, durationMs) => {
      if (modules.find(name) === undefined) throw noSuchModule(name)
      return profiler.start(name, durationMs)
    },
    configsChanged: (names) =>
      change(async () => {
        if (sources === undefined) return
        if (names.includes('modules.yaml')) {
          switched.clear()
          const wanted = (await findNames()).filter(isEnabled)
          const gone = modules.list().filter(({ name }) => !wanted.includes(name))
          const missing = wanted.filter((name) => modules.find(name) === undefined)
          const prepared = await Promise.all(missing.map((name) => tryPrepare(name)))
          const loaded = prepared.filter((module) => module !== undefined)
          if (gone.length + loaded.length > 0) await swap([...others(gone.map(({ name }) => name)), ...loaded], 'disabled')
        }
        await inTick(() => {
          for (const module of modules.list()) {
            applyEntry(module)
            modules.noteConfigs(module, names)
          }
        })
      }),
    checkSettings: (asked) =>
      inTurn(async () => {
        const files = (await sources?.list()) ?? []
        const names = [...new Set([...files, ...modules.list().map(({ name }) => name)])]
        const withoutEntry = files.filter((name) => config().modules[name] === undefined)
        const all = { ...Object.fromEntries(withoutEntry.map((name) => [name, {}])), ...asked }
        return Object.fromEntries(
          Object.entries(all).map(([name, settings]) => [name, checkEntry(name, settings, { names, files })] as const),
        )
      }),
    settings: () =>
      Object.fromEntries(
        modules.list().flatMap(({ name, spec }) => (spec.declare.settings ? [[name, spec.declare.settings]] : [])),
      ),
    list: () => [...new Set([...known, ...modules.list().map(({ name }) => name)])].sort().map(statusOf),
  }
}
