import { listModules } from '../../shared/domain/modules/admin/module-report.ts'
import { AppError } from '../../shared/kernel/errors.ts'
import type { HttpDeps } from '../deps.ts'

/** Throws AppError `not-found` for an unknown module: no node reports it, `modules.yaml` does not name it, and no record is stored. */
export const expectModule = async (
  { configs, nodeReports, moduleData }: Pick<HttpDeps, 'configs' | 'nodeReports' | 'moduleData'>,
  name: string,
): Promise<void> => {
  if (configs.get('modules.yaml').modules[name] !== undefined) return
  if ((await listModules(nodeReports)).some((module) => module.name === name)) return
  if ((await moduleData.listRecords(name, { limit: 1 })).records.length > 0) return
  throw new AppError('not-found', 'not-found', `There is no module "${name}". GET /api/admin/modules lists them.`)
}
