import { type ReportedModule, tellModules } from '../../shared/domain/modules/admin/module-report.ts'
import type { NodeReports } from '../../shared/domain/node-reports/node-reports.ts'
import type { Log } from '../../shared/kernel/log.ts'
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

/** Reports the modules of this node once a second, for other processes. Returns a function that ends it. */
export const reportModules = ({ nodeId, nodeReports, host, log }: ReportModulesDeps): (() => void) => {
  const failed = (error: unknown): void => log.debug({ err: error }, 'modules cannot be reported')
  const tell = (): Promise<void> => tellModules(nodeReports, nodeId, describeModules(host)).catch(failed)
  void tell()
  const stop = repeat(tell, everyMs)
  return () => {
    stop()
    nodeReports.withdraw('modules', nodeId).catch(failed)
  }
}
