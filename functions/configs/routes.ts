import type { Route } from '../http/route.ts'
import { describeConfigs } from './describe-configs.ts'
import { getConfig } from './get-config.ts'
import { getConfigSchema } from './get-config-schema.ts'
import { listConfigRevisions } from './list-config-revisions.ts'
import { listConfigs } from './list-configs.ts'
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
