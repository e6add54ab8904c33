import type { Clock } from '../../../kernel/clock.ts'
import type { Fault } from '../../../kernel/errors.ts'
import type { Ids } from '../../../kernel/ids.ts'
import type { Log } from '../../../kernel/log.ts'
import type { EventBus } from '../../../platform/events/event-bus.ts'
import type { Store } from '../../../platform/storage/store.ts'
import type { Actor } from '../../accounts/actor.ts'
import { createAuditEntry } from '../../audit/audit-entry.ts'
import type { AuditLog } from '../../audit/audit-log.ts'
import { createPermissionNames, type PermissionNames } from '../../permissions/permission-names.ts'
import { configNames } from '../catalogue.ts'
import type { ConfigName, ConfigValues, OtherConfigs } from '../declare/config-file.ts'
import { findUnknownPermissions } from '../groups/unknown-permissions.ts'
import { type ConfigParser, describeBrokenConfig, describeConfigFault } from '../reading/config-parser.ts'
import { locatePointers } from '../reading/parse-config.ts'
import type { ConfigReader } from '../texts/config-files.ts'
import { createConfigHolder, type ReloadReport } from './config-holder.ts'
import { createReloadCounter, createSharedReloads } from './shared-reloads.ts'

/** The active configs of this process. A file that becomes broken never replaces a good one. */
export type Configs = {
  get<N extends ConfigName>(name: N): ConfigValues[N]
  /**
   * Reads these files again (all if none is named), in this process and, through an event and a version check, in all others. Also reads
   * files that refer to them if the change breaks or may fix them.
   */
  reload(names?: readonly ConfigName[]): Promise<ReloadReport>
  /**
   * Applies reloads of other processes so far; one read of the Store if there are none. A long-running process does this by itself.
   */
  catchUp(): Promise<void>
  onReload(listener: (names: readonly ConfigName[]) => void): () => void
  /**
   * The files that are broken on disk or need a restart, in words that may be public. The fault itself is in the log and in the result of
   * `reload`.
   */
  warnings(): readonly string[]
  close(): Promise<void>
}

export type LoadConfigsDeps = {
  readonly files: ConfigReader
  readonly store: Store
  readonly events: EventBus
  readonly log: Log
  readonly clock: Clock
  /** Reasons why these configs are unsafe in this process, each with its fix; default none. */
  readonly findUnsafe?: (configs: OtherConfigs) => readonly string[]
  /** Parses long files without blocking the process. */
  readonly parser?: Pick<ConfigParser, 'parse' | 'locate'>
  /** The permissions that groups may name; default those of the server itself. */
  readonly permissionNames?: PermissionNames
  /** How often to check for reloads whose event was lost; default 2,000. */
  readonly pollMs?: number
}

const describeWaitingConfig = (name: ConfigName): string =>
  `${name} has changes that need a restart. Restart the server to apply them.`

/** Public text: the place, not the name. */
const describeUnknownAt = ({ line, column }: Fault): string => {
  const place = line === undefined ? '' : ` at line ${line}, column ${column ?? 1}`
  return `groups.yaml has an unknown permission${place}, which has no effect. The log has its name.`
}

type Listener = (names: readonly ConfigName[]) => void

const callEach = (listeners: Iterable<Listener>, names: readonly ConfigName[], log: Log) => {
  for (const listener of [...listeners]) {
    try {
      listener(names)
    } catch (error) {
      log.error({ err: error, names }, 'a listener for reloaded configs failed')
    }
  }
}

const logReport = ({ reloaded, restartNeeded, failed }: ReloadReport, log: Log) => {
  if (reloaded.length > 0) log.info({ names: reloaded }, 'configs reloaded')
  if (restartNeeded.length > 0) log.warn({ names: restartNeeded }, 'changed configs wait for a restart')
  for (const { name, errors } of failed)
    log.warn({ config: name, errors }, 'a config is broken; the last good version stays active')
}

/**
 * The active configs of this process, which follow the reloads of all others until it is closed. Throws AppError `invalid`
 * `invalid-config` with each file and fault if one is broken at start.
 */
export const loadConfigs = async (deps: LoadConfigsDeps): Promise<Configs> => {
  const { files, store, events, log, clock, findUnsafe = () => [], parser, pollMs = 2_000 } = deps
  const { permissionNames = createPermissionNames() } = deps
  const counter = createReloadCounter(store, clock)
  // Read before the files, so that a reload between the two is noticed.
  const seen = await counter.read()
  const holder = await createConfigHolder({ files, findUnsafe, ...(parser && { parser }) })
  const listeners = new Set<Listener>()
  const broken = new Map<ConfigName, string>()
  const waiting = new Set<ConfigName>()
  let unknown: readonly Fault[] = []

  /** Warns only: a file may name permissions of a newer or older server, and that must not prevent this one from running. */
  const noteUnknownPermissions = async (): Promise<void> => {
    unknown = findUnknownPermissions(holder.get('groups.yaml'), permissionNames)
    if (unknown.length === 0) return
    try {
      const { text } = await files.read('groups.yaml')
      unknown = await (parser?.locate(text, unknown) ?? locatePointers(text, unknown))
    } catch (err) {
      log.warn({ err }, 'could not read groups.yaml again to find line numbers')
    }
    for (const fault of unknown) log.warn({ config: 'groups.yaml' }, describeConfigFault('groups.yaml', fault))
  }
  await noteUnknownPermissions()

  const readAgain = async (names: readonly ConfigName[]): Promise<ReloadReport> => {
    const report = await holder.readAgain(names)
    for (const name of [...names, ...report.reloaded, ...report.restartNeeded]) {
      broken.delete(name)
      waiting.delete(name)
    }
    for (const name of report.restartNeeded) waiting.add(name)
    for (const { name, errors } of report.failed) {
      broken.set(name, describeBrokenConfig(name, errors[0]))
    }
    logReport(report, log)
    if (report.reloaded.includes('groups.yaml')) await noteUnknownPermissions()
    if (report.reloaded.length > 0) callEach(listeners, report.reloaded, log)
    return report
  }

  const { reload, catchUp, close } = createSharedReloads({ counter, seen, events, log, pollMs, readAgain })
  return {
    get: holder.get,
    reload: (names = configNames) => reload([...new Set(names)]),
    catchUp,
    onReload: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    warnings: () => [...broken.values(), ...[...waiting].map(describeWaitingConfig), ...unknown.map(describeUnknownAt)],
    close,
  }
}

export type ReloadByActorDeps = {
  readonly configs: Pick<Configs, 'reload'>
  readonly audit: Pick<AuditLog, 'append'>
  readonly clock: Clock
  readonly ids: Pick<Ids, 'uuid'>
}

const summarise = ({ reloaded, restartNeeded, failed }: ReloadReport) => ({
  reloaded,
  restartNeeded,
  failed: failed.map(({ name }) => name),
})

/**
 * Reloads these configs, or all, and audits the result. Audits even if nothing changed here, because a process that started earlier may
 * have had an older file. Throws AppError `unavailable` if the other processes could not be notified.
 */
export const reloadByActor = async (
  deps: ReloadByActorDeps,
  actor: Actor,
  names?: readonly ConfigName[],
): Promise<ReloadReport> => {
  let report: ReloadReport | undefined
  try {
    report = await deps.configs.reload(names)
    return report
  } finally {
    const after = report === undefined ? { unannounced: true } : summarise(report)
    const target = names === undefined ? 'all' : names.join(', ')
    await deps.audit.append([createAuditEntry(deps, actor, { action: 'config.reload', target, before: null, after })])
  }
}
