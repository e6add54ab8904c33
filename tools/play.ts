import { endWith } from '../shared/platform/process/end-with.ts'
import { runPlay } from './play/run-play.ts'

const interrupted = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupted.abort())

export const main = endWith(
  runPlay({
    args: process.argv.slice(2),
    env: process.env,
    input: process.stdin,
    output: process.stdout,
    complain: (text) => process.stderr.write(text),
    interrupted: interrupted.signal,
  }),
)
