import { WebSocket } from 'ws'
import { endWith } from '../shared/platform/process/end-with.ts'
import { runBots } from './bots/run-bots.ts'

const interrupted = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupted.abort())

export const main = endWith(
  runBots({
    args: process.argv.slice(2),
    env: process.env,
    WebSocket,
    fetch,
    print: (text) => process.stdout.write(text),
    complain: (text) => process.stderr.write(text),
    interrupted: interrupted.signal,
  }),
)
