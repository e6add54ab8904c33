import { runTables } from './tables/run-tables.ts'

export const main = runTables({
  args: process.argv.slice(2),
  environment: process.env,
  print: (text) => process.stdout.write(text),
  complain: (text) => process.stderr.write(text),
}).then((code) => {
  process.exitCode = code
})
