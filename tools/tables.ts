import { endWith } from '../shared/platform/process/end-with.ts'
import { runTables } from './tables/run-tables.ts'

export const main = endWith(
  runTables({
    args: process.argv.slice(2),
    environment: process.env,
    print: (text) => process.stdout.write(text),
    complain: (text) => process.stderr.write(text),
  }),
)
