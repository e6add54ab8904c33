import type { Fault } from '../../../kernel/errors.ts'
import type { CheckModuleSettings } from '../../modules/admin/check-settings.ts'
import type { ConfigParser } from '../reading/config-parser.ts'
import type { ConfigReader } from '../texts/config-files.ts'
import type { ReloadReport } from './config-holder.ts'
import type { Configs } from './configs.ts'

/** Bad settings of a module in `modules.yaml`. */
export type BadSettings = {
  readonly module: string
  /** True: the module runs, and keeps its settings. False: it does not run. */
  readonly keepsSettings: boolean
  readonly errors: readonly Fault[]
}

/** A report of a reload, with the faults that the modules found in `modules.yaml`. */
export type CheckedReload = ReloadReport & {
  readonly modules: readonly BadSettings[]
  /** Sentences about modules that could not be checked. */
  readonly warnings: readonly string[]
}

/** Checks the settings of modules after a reload that read `modules.yaml`. */
export type CheckReloaded = (report: ReloadReport) => Promise<CheckedReload>

export type CheckReloadedDeps = {
  readonly configs: Pick<Configs, 'get'>
  readonly files: ConfigReader
  readonly parser: Pick<ConfigParser, 'locate'>
  readonly checkModuleSettings: CheckModuleSettings
}

/** A node first loads the modules that the reload has enabled. */
const answerMs = 10_000

export const createCheckReloaded = ({ configs, files, parser, checkModuleSettings }: CheckReloadedDeps): CheckReloaded => {
  const locate = async (faults: readonly Fault[]): Promise<readonly Fault[]> => {
    try {
      return await parser.locate((await files.read('modules.yaml')).text, faults)
    } catch {
      // The pointers still say where the faults are.
      return faults
    }
  }
  return async (report) => {
    if (!report.reloaded.includes('modules.yaml')) return { ...report, modules: [], warnings: [] }
    const checked = await checkModuleSettings(undefined, configs.get('modules.yaml'), answerMs)
    const modules: BadSettings[] = []
    for (const { name, isRunning, faults } of checked.modules)
      modules.push({ module: name, keepsSettings: isRunning, errors: await locate(faults) })
    return { ...report, modules, warnings: checked.warnings }
  }
}
