import { asksForHelp } from './asks-for-help.ts'

const describeUsage = (script: string, does: string): string => `Usage: npm run ${script} [-- --help]

${does} It has no options. Environment variables change it, for example:

  PORT=18431 npm run ${script}      listens on this port
  HOST=0.0.0.0 npm run ${script}    listens on all addresses of this machine
  DATA_DIR=/data npm run ${script}  keeps all data in this folder

docs/configuration.md in the repository of Gatehouse lists all variables. It ends with Ctrl+C.
`

/** Whether to start the server. Otherwise prints the usage, for help or with the exit code 2 for an argument. */
export const mayStart = (script: string, does: string, args: readonly string[] = process.argv.slice(2)): boolean => {
  const [unknown] = args
  if (unknown === undefined) return true
  if (asksForHelp(args)) process.stdout.write(describeUsage(script, does))
  else {
    process.stderr.write(`There is no option ${unknown}.\n\n${describeUsage(script, does)}`)
    process.exitCode = 2
  }
  return false
}
