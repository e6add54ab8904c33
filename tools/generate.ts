import { allRoutes } from '../functions/all-routes.ts'
import { createErrorsPage } from '../functions/http/openapi/errors-page.ts'
import { schemaNames } from '../functions/schema-names.ts'
import { createApiPaths } from './generate/api-paths.ts'
import { createAsyncapi, createFeedMessages } from './generate/asyncapi.ts'
import { createConfigurationPage } from './generate/configuration-page.ts'
import { createOperationsPage } from './generate/environment-table.ts'
import { listStale, writeMade } from './generate/made-files.ts'
import { createMetricsPage } from './generate/metrics-page.ts'
import { createModulesPage } from './generate/modules-page.ts'
import { createPermissionList, createPermissionsPage } from './generate/permissions-page.ts'
import { makeProtocol, messageTypesFolder } from './generate/protocol.ts'
import { createProtocolVectors } from './generate/protocol-vectors.ts'
import { makeSchemas, schemasFolder } from './generate/schema-files.ts'
import { makeShippedConfigs, shippedConfigsFolder } from './generate/shipped-configs.ts'

const made = new Map([
  ...makeProtocol(),
  ...makeSchemas(),
  ...makeShippedConfigs(),
  ['sdk/admin/generated/api-paths.ts', createApiPaths(allRoutes, schemaNames)],
  ['sdk/admin/generated/feed-messages.ts', createFeedMessages()],
  ['functions/service/generated/asyncapi.ts', createAsyncapi()],
  ['docs/protocol-vectors.json', createProtocolVectors()],
  ['docs/errors.md', createErrorsPage()],
  ['docs/configuration.md', createConfigurationPage()],
  ['docs/metrics.md', createMetricsPage()],
  ['docs/modules.md', createModulesPage()],
  ['docs/operations.md', createOperationsPage()],
  ['docs/permissions.md', createPermissionsPage()],
  ['console/state/generated/permission-list.ts', createPermissionList()],
])
const wholeFolders = ['realtime/protocol/generated', messageTypesFolder, schemasFolder, shippedConfigsFolder]

if (process.argv.includes('--check')) {
  const stale = listStale(made, wholeFolders)
  if (stale.length > 0) process.stderr.write(`These files are out of date. Run npm run generate:\n${stale.join('\n')}\n`)
  process.exitCode = stale.length > 0 ? 1 : 0
} else {
  writeMade(made, wholeFolders)
}
