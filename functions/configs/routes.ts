import type { Route } from '../http/route.ts'
import { describeConfigs, getConfig, getConfigSchema, listConfigRevisions, listConfigs } from './read-configs.ts'
import { reloadConfigs } from './reload-configs.ts'
import { saveConfig } from './save-config.ts'

export const configRoutes: readonly Route[] = [
  listConfigs,
  describeConfigs,
  getConfig,
  saveConfig,
  listConfigRevisions,
  getConfigSchema,
  reloadConfigs,
]
