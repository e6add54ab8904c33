import type { Route } from '../http/route.ts'
import { listModules } from './list-modules.ts'
import { listModuleSettings } from './list-settings.ts'
import {
  deleteModulePlayerData,
  deleteModuleRecord,
  getModulePlayerData,
  getModuleRecord,
  listModuleRecords,
  listModuleSetAside,
  putModulePlayerData,
  putModuleRecord,
} from './records.ts'
import { sendModuleMessage } from './send-message.ts'
import { disableModule, enableModule, reloadModule } from './switch-module.ts'

export const moduleRoutes: readonly Route[] = [
  listModules,
  listModuleSettings,
  reloadModule,
  enableModule,
  disableModule,
  listModuleRecords,
  listModuleSetAside,
  getModuleRecord,
  putModuleRecord,
  deleteModuleRecord,
  getModulePlayerData,
  putModulePlayerData,
  deleteModulePlayerData,
  sendModuleMessage,
]
