import { createErrorsPage } from '../functions/http/openapi/errors-page.ts'
import { createConfigurationPage } from './generate/configuration-page.ts'
import { listStale, writeMade } from './generate/made-files.ts'
import { createMetricsPage } from './generate/metrics-page.ts'
import { createPermissionsPage } from './generate/permissions-page.ts'
import { makeProtocol } from './generate/protocol.ts'
import { makeSchemas, schemasFolder } from './generate/schemas.ts'
import { makeShippedConfigs, shippedConfigsFolder } from './generate/shipped-configs.ts'

const made = new Map([
  ...makeProtocol(),
  ...makeSchemas(),
  ...makeShippedConfigs(),
  ['docs/errors.md', createErrorsPage()],
  ['docs/configuration.md', createConfigurationPage()],
  ['docs/metrics.md', createMetricsPage()],
  ['docs/permissions.md', createPermissionsPage()],
])
const wholeFolders = ['realtime/protocol/generated', schemasFolder, shippedConfigsFolder]

if (process.argv.includes('--check')) {
  const stale = listStale(made, wholeFolders)
  if (stale.length > 0) process.stderr.write(`Out of date, run npm run generate:\n${stale.join('\n')}\n`)
  process.exitCode = stale.length > 0 ? 1 : 0
} else {
  writeMade(made, wholeFolders)
}
