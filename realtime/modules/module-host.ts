import type { Configs } from '../../shared/domain/configs/in-force/configs.ts'
import { type LoadFault, ModuleNotLoaded, type ModuleSources } from '../../shared/domain/modules/module-source.ts'
import { type LoadedSpec, permissionsOf, readSpec } from '../../shared/domain/modules/module-spec.ts'
import type { ModuleEntry, ModulesConfig } from '../../shared/domain/modules/modules-config.ts'
import type { PermissionNames } from '../../shared/domain/permissions/permission-names.ts'
import { AppError } from '../../shared/kernel/errors.ts'
import type { Log } from '../../shared/kernel/log.ts'
import { createParser } from '../../shared/kernel/schema.ts'
import type { CommandList } from '../commands/command-list.ts'
import type { GameModules, RunningState, StopReason } from './game-modules.ts'
import { createModuleCommands } from './module-commands.ts'
import type { PreparedModule } from './running-module.ts'
import type { TimeLimit } from './time-limit.ts'

/** Loads modules, and swaps them between two ticks. */
export type ModuleHost = {
  /** Loads all modules. Throws AppError if a required one does not load. */
  start(): Promise<void>
  /** Loads one module or all of them again. A load that fails keeps the running version, and throws ModuleNotLoaded. */
  reload(name?: string): Promise<readonly string[]>
  /** Switches a module off or on until the next start. */
  setEnabled(name: string, isEnabled: boolean): Promise<void>
  /** Runs `on.stop` and ends all modules. Call it within a tick. */
  stop(reason: StopReason): void
  /** The modules in the game. */
  states(): readonly RunningState[]
  /** The faults of modules that did not load, by name. */
  failures(): ReadonlyMap<string, readonly LoadFault[]>
}

export type ModuleHostDeps = {
  /** Absent: the node has no modules. */
  readonly sources: ModuleSources | undefined
  readonly modules: GameModules
  readonly commandList: CommandList
  readonly permissionNames: Pick<PermissionNames, 'declare'>
  readonly configs: Pick<Configs, 'get'>
  readonly limit: TimeLimit
  /** Runs a task in a later tick. */
  readonly enqueue: (task: () => void) => void
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

const parseSettings = ({ name, declare }: LoadedSpec, { settings = {} }: ModuleEntry): unknown => {
  if (declare.settings === undefined) {
    const [unknown] = Object.keys(settings)
    if (unknown === undefined) return {}
    throw new ModuleNotLoaded([{ pointer: `/modules/${name}/settings/${unknown}`, message: 'is not a setting of this module' }])
  }
  const parsed = createParser(declare.settings, 'defaults')(settings)
  if (parsed.ok) return parsed.value
  const prefix = `/modules/${name}/settings`
  throw new ModuleNotLoaded(parsed.faults.map(({ pointer = '', ...fault }) => ({ ...fault, pointer: `${prefix}${pointer}` })))
}

export const createModuleHost = (deps: ModuleHostDeps): ModuleHost => {
  const { sources, modules, commandList, permissionNames, configs, limit, enqueue, log } = deps
  const failures = new Map<string, readonly LoadFault[]>()
  /** Switched on or off by an admin, until the next start. */
  const switched = new Map<string, boolean>()
  let endPermissions = (): void => {}
  const config = (): ModulesConfig => configs.get('modules.yaml')
  const entryOf = (name: string): ModuleEntry => config().modules[name] ?? defaultEntry
  const isEnabled = (name: string): boolean => switched.get(name) ?? entryOf(name).enabled

  const prepare = async (name: string): Promise<PreparedModule> => {
    if (sources === undefined) throw new ModuleNotLoaded([{ message: 'This node has no modules.' }])
    const entry = entryOf(name)
    const code = await sources.load(name, entry.package)
    let exported: unknown
    let thrown: { readonly error: unknown } | undefined
    const isInTime = limit(() => {
      try {
        exported = code.evaluate()
      } catch (error) {
        thrown = { error }
      }
    }, config().budget.cutMs)
    if (!isInTime)
      throw new ModuleNotLoaded([{ message: `The top level of the module was ended after ${config().budget.cutMs} ms.` }])
    if (thrown !== undefined) {
      const { error } = thrown
      const stack = typeof error === 'object' && error !== null && 'stack' in error ? String(error.stack) : ''
      const place = code.findPlace(stack)
      throw new ModuleNotLoaded([{ message: error instanceof Error ? error.message : String(error), ...place }])
    }
    const read = readSpec(exported)
    if (!read.ok) throw new ModuleNotLoaded(read.faults)
    const { spec } = read
    if (spec.name !== name)
      throw new ModuleNotLoaded([
        { pointer: '/name', message: `is ${spec.name}, but the file or the entry in modules.yaml is ${name}` },
      ])
    return { spec, code, entry, settings: parseSettings(spec, entry) }
  }

  const tryPrepare = async (name: string): Promise<PreparedModule | undefined> => {
    try {
      const prepared = await prepare(name)
      failures.delete(name)
      return prepared
    } catch (error) {
      if (!(error instanceof ModuleNotLoaded)) throw error
      failures.set(name, error.faults)
      log.error({ module: name, cause: error.message }, 'a module was not loaded')
      return undefined
    }
  }

  const listNames = async (): Promise<readonly string[]> => {
    const found = (await sources?.list()) ?? []
    return [...new Set([...found, ...Object.keys(config().modules)])].sort()
  }

  /** Swaps between two ticks. */
  const swap = (next: readonly PreparedModule[], reason: StopReason): Promise<void> =>
    new Promise((resolve, reject) => {
      enqueue(() => {
        try {
          const sorted = sortModules(next)
          modules.replace(sorted, reason)
          endPermissions()
          endPermissions = permissionNames.declare(sorted.flatMap(({ spec }) => permissionsOf(spec)))
          commandList.setModuleCommands(createModuleCommands(modules, commandList.own()))
          resolve()
        } catch (error) {
          reject(error)
        }
      })
    })

  const refuseMissing = (names: readonly string[]): void => {
    const missing = names.find((name) => entryOf(name).required && failures.has(name))
    if (missing === undefined) return
    const cause = new ModuleNotLoaded(failures.get(missing) ?? [])
    const detail = `The module ${missing} is required and does not load. ${cause.message}`
    throw new AppError('unprocessable', 'module-not-loaded', detail, { cause })
  }

  return {
    start: async () => {
      if (sources === undefined) return
      const names = (await listNames()).filter(isEnabled)
      const prepared = await Promise.all(names.map(tryPrepare))
      refuseMissing(names)
      void swap(
        prepared.filter((module) => module !== undefined),
        'reload',
      )
    },
    reload: async (name) => {
      const names = name === undefined ? (await listNames()).filter(isEnabled) : [name]
      const prepared = await Promise.all(names.map(tryPrepare))
      const loaded = prepared.filter((module) => module !== undefined)
      const replaced = new Set(names)
      const kept = modules.list().filter((module) => {
        if (name === undefined) return failures.has(module.name)
        return !replaced.has(module.name) || failures.has(module.name)
      })
      await swap([...kept, ...loaded], 'reload')
      const faults = names.flatMap((failed) => failures.get(failed) ?? [])
      if (faults.length > 0) throw new ModuleNotLoaded(faults)
      return loaded.map(({ spec }) => spec.name)
    },
    setEnabled: async (name, enabled) => {
      switched.set(name, enabled)
      const others = modules.list().filter((module) => module.name !== name)
      if (!enabled) {
        await swap(others, 'disabled')
        return
      }
      const prepared = await tryPrepare(name)
      if (prepared === undefined) throw new ModuleNotLoaded(failures.get(name) ?? [])
      await swap([...others, prepared], 'reload')
    },
    stop: modules.stop,
    states: modules.states,
    failures: () => failures,
  }
}
