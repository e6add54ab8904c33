import { runTables } from './tables/run-tables.ts'

process.exitCode = await runTables({
  args: process.argv.slice(2),
  environment: process.env,
  print: (text) => process.stdout.write(text),
  complain: (text) => process.stderr.write(text),
})
