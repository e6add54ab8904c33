import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const started = []

/** Starts one shared DynamoDB before a run of all suites. In a run of some suites, each starts its own. */
export const shareDynamo = async ({ testPathPatterns }) => {
  if (process.env.DYNAMODB_ENDPOINT || testPathPatterns.isSet()) return
  const script = join(import.meta.dirname, 'dynamodb-for-all-script.ts')
  // The pipe to its standard input ends with this process, and the child ends with the pipe.
  const child = spawn(process.execPath, ['--import', 'tsx', script], { stdio: ['pipe', 'pipe', 'inherit'] })
  started.push(child)
  const lines = createInterface({ input: child.stdout })
  const [endpoint] = await Promise.race([once(lines, 'line'), once(lines, 'close')])
  if (endpoint !== undefined) process.env.GATEHOUSE_TESTS_DYNAMODB = endpoint
  for (const handle of [child, child.stdin, child.stdout]) handle.unref()
}

export const endSharedDynamo = async () => {
  delete process.env.GATEHOUSE_TESTS_DYNAMODB
  for (const child of started.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue
    child.ref()
    const exited = once(child, 'exit')
    child.stdin.end()
    await exited
  }
}
