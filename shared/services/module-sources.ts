import { join } from 'node:path'
import { createModuleFiles } from '../domain/modules/files/module-files.ts'
import type { ModuleSources } from '../domain/modules/module-source.ts'
import type { Environment } from '../platform/process/environment.ts'

/** The modules of a node: in `modules` of the data folder, in `GATEHOUSE_MODULES`, and in the packages of the project. */
export const openModuleSources = ({ dataDir, modulesFolder }: Pick<Environment, 'dataDir' | 'modulesFolder'>): ModuleSources =>
  createModuleFiles({
    folders: [join(dataDir, 'modules'), ...(modulesFolder === undefined ? [] : [modulesFolder])],
    profilesFolder: join(dataDir, 'profiles'),
    projectFolder: process.cwd(),
  })
