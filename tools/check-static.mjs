/**
 * Runs the checks that need no test, as many at a time as there are cores: `npm run check:static`. Prints the whole output of each
 * check when it ends, and exits with 1 if one failed.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'

/** The longest first. */
const waiting = [
  'npm run -s check:types',
  'biome check --error-on-warnings .',
  'knip --config .knip.json',
  'npm run -s generate -- --check',
  'npm run -s check:prose',
]
const failed = []

const run = async (command) => {
  const startedMs = Date.now()
  // npm has put the programs of the packages on the path.
  const child = spawn(command, { shell: true, stdio: ['ignore', 'pipe', 'pipe'] })
  const output = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes) => output.push(bytes))
  const [code] = await once(child, 'close')
  if (code !== 0) failed.push(command)
  const seconds = Math.round((Date.now() - startedMs) / 1000)
  process.stdout.write(`${code === 0 ? 'passed' : 'FAILED'} in ${seconds} s: ${command}\n${Buffer.concat(output)}\n`)
}

const work = async () => {
  for (let command = waiting.shift(); command !== undefined; command = waiting.shift()) await run(command)
}

await Promise.all(Array.from({ length: availableParallelism() }, work))
if (failed.length > 0) process.stdout.write(`These checks failed: ${failed.join(', ')}\n`)
process.exitCode = failed.length > 0 ? 1 : 0
