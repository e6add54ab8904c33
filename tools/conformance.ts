import { randomBytes, randomUUID } from 'node:crypto'
import { askSecret } from '../sdk/examples/terminal/terminal.ts'
import { endWith } from '../shared/platform/process/end-with.ts'
import { readSecretLine } from './conformance/arguments/conformance-arguments.ts'
import { runConformance } from './conformance/run-conformance.ts'
import { listenForInterruption } from './interruption.ts'

const now = () => performance.now()

export const main = endWith(
  runConformance({
    args: process.argv.slice(2),
    env: process.env,
    readSecret: async (what) =>
      process.stdin.isTTY ? ((await askSecret(process.stdin, process.stderr, `${what}: `)) ?? '') : readSecretLine(process.stdin),
    print: (text) => process.stdout.write(text),
    complain: (text) => process.stderr.write(text),
    interrupted: listenForInterruption({ process, now }),
    now,
    newId: randomUUID,
    newSecret: () => randomBytes(18).toString('base64url'),
  }),
)
