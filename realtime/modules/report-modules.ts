import { type ReportedModule, tellModules } from '../../shared/domain/modules/admin/module-report.ts'
import type { NodeReports } from '../../shared/domain/node-reports/node-reports.ts'
import type { Log } from '../../shared/kernel/log.ts'
import { createSharedRuns } from '../../shared/kernel/queue.ts'
import { repeat } from '../../shared/kernel/repeat.ts'
import type { ModuleControl } from '../commands/module-control.ts'

const everyMs = 1_000

/** The modules of this node, as other processes read them. */
export const describeModules = ({ list }: Pick<ModuleControl, 'list'>): readonly ReportedModule[] =>
  list().map((module) => ({
    ...module,
    handlers: [...module.handlers],
    commands: [...module.commands],
    messages: [...module.messages],
    permissions: [...module.permissions],
  }))

export type ReportModulesDeps = {
  readonly nodeId: string
  readonly nodeReports: NodeReports
  readonly host: Pick<ModuleControl, 'list'>
  readonly log: Log
}

export type ModuleReporter = {
  /** Reports the modules as they are now. Resolves when other processes read it, or when it failed. */
  tell(): Promise<void>
  end(): void
}

/** Reports the modules of this node once a second, for other processes. */
export const reportModules = ({ nodeId, nodeReports, host, log }: ReportModulesDeps): ModuleReporter => {
  const failed = (error: unknown): void => log.debug({ err: error }, 'modules cannot be reported')
  // One at a time: an older report must not replace a newer one.
  const tell = createSharedRuns(() => tellModules(nodeReports, nodeId, describeModules(host)).catch(failed))
  void tell()
  const stop = repeat(tell, everyMs)
  return {
    tell,
    end: () => {
      stop()
      nodeReports.withdraw('modules', nodeId).catch(failed)
    },
  }
}
