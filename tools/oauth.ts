import { readFile } from 'node:fs/promises'
import { createLog } from '../shared/kernel/log.ts'
import { endWith } from '../shared/platform/process/end-with.ts'
import { parseEnvironment } from '../shared/platform/process/environment.ts'
import { openServices } from '../shared/services/services.ts'
import { runOauth } from './oauth/run-oauth.ts'

export const main = endWith(
  runOauth({
    args: process.argv.slice(2),
    openTask: async () => {
      const environment = parseEnvironment(process.env, 'task')
      const { readSecret, baseUrl } = environment
      return { ...(await openServices(environment, createLog('error', 'gatehouse-task'))), readSecret, baseUrl }
    },
    readText: (path) => readFile(path, 'utf8'),
    print: (text) => process.stdout.write(text),
    complain: (text) => process.stderr.write(text),
  }),
)
