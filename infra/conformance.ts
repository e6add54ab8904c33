import { randomBytes, randomUUID } from 'node:crypto'
import { runConformance } from './conformance/run-conformance.ts'

const interrupted = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupted.abort())

process.exitCode = await runConformance({
  args: process.argv.slice(2),
  env: process.env,
  stdin: process.stdin,
  print: (text) => process.stdout.write(text),
  complain: (text) => process.stderr.write(text),
  interrupted: interrupted.signal,
  now: () => performance.now(),
  newId: randomUUID,
  newSecret: () => randomBytes(18).toString('base64url'),
})
