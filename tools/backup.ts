import { endWith } from '../shared/platform/process/end-with.ts'
import { parseEnvironment } from '../shared/platform/process/environment.ts'
import { runBackup } from './backup/run-backup.ts'

const stop = new AbortController()
for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => stop.abort())

export const main = endWith(
  runBackup({
    args: process.argv.slice(2),
    environment: () => parseEnvironment(process.env, 'task'),
    print: (text) => process.stdout.write(text),
    complain: (text) => process.stderr.write(text),
    signal: stop.signal,
  }),
)
