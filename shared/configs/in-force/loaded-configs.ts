import type { EventBus } from '../../events/event-bus.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import type { Store } from '../../storage/store.ts'
import { configNames } from '../catalogue.ts'
import type { OtherConfigs } from '../declare/config-values.ts'
import type { ConfigParser } from '../reading/parse-config-aside.ts'
import { describeBrokenConfig } from '../reading/read-config.ts'
import type { ConfigReader } from '../texts/config-files.ts'
import { createConfigHolder } from './config-holder.ts'
import type { ConfigName, Configs, ReloadReport } from './configs.ts'
import { createReloadCounter, createSharedReloads } from './shared-reloads.ts'

export type LoadConfigsDeps = {
  readonly files: ConfigReader
  readonly store: Store
  readonly events: EventBus
  readonly log: Log
  readonly clock: Clock
  /** Why these configs must not be in force in this process, each reason with its fix; nothing is unsafe when absent. */
  readonly findUnsafe?: (configs: OtherConfigs) => readonly string[]
  /** Reads again what is long while the process goes on. */
  readonly parser?: Pick<ConfigParser, 'parse'>
  /** How often to look for reloads whose event was lost; 2,000 when absent. */
  readonly pollMs?: number
}

const describeWaitingConfig = (name: ConfigName): string =>
  `${name} holds changes that wait for a restart; restart the server to have them in force`

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
    log.warn({ config: name, errors }, 'a config is broken, the last good one stays in force')
}

/**
 * The configs in force in this process, kept in step with the reloads of all others; close it to end that. Throws AppError
 * `invalid`, slug `invalid-config`, naming each file and fault, when one is broken at start.
 */
export const loadConfigs = async (deps: LoadConfigsDeps): Promise<Configs> => {
  const { files, store, events, log, clock, findUnsafe = () => [], parser, pollMs = 2_000 } = deps
  const counter = createReloadCounter(store, clock)
  // Before the files, so that a reload between the two is noticed later rather than missed.
  const seen = await counter.read()
  const holder = await createConfigHolder({ files, findUnsafe, ...(parser && { parser }) })
  const listeners = new Set<Listener>()
  const broken = new Map<ConfigName, string>()
  const waiting = new Set<ConfigName>()

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
    warnings: () => [...broken.values(), ...[...waiting].map(describeWaitingConfig)],
    close,
  }
}
