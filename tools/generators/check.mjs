// Generates clients from an OpenAPI document with two generators and compiles them, then lints the document. Prints the output of each
// program that fails, and exits with 1: node tools/generators/check.mjs openapi.json
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

const folder = import.meta.dirname
const [, , document = ''] = process.argv

const programs = {
  'openapi-typescript': ['openapi.json', '-o', 'clients/openapi-typescript.ts'],
  'openapi-ts': ['-i', 'openapi.json', '-o', 'clients/hey-api', '--no-log-file'],
  tsc: ['-p', 'tsconfig.json'],
  redocly: ['lint', 'openapi.json', '--config', 'redocly.yaml', '--format', 'stylish'],
  spectral: ['lint', 'openapi.json', '--ruleset', 'spectral.yaml', '--fail-severity', 'hint', '--quiet'],
}
/** Redocly counts warnings, but succeeds with them. */
const hasWarnings = (output) => /^\s+\d+:\d+\s+(warning|error)\s/m.test(output)

const run = async (name) => {
  const binary = join(folder, 'node_modules/.bin', name)
  const env = { ...process.env, NO_COLOR: '1', REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', CI: '1' }
  const child = spawn(binary, programs[name], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text) => {
      output += text
    })
  const [code] = await once(child, 'close')
  if (code === 0 && !hasWarnings(output)) return true
  process.stdout.write(`${name} ${programs[name].join(' ')}\n${output}\n`)
  return false
}

await rm(join(folder, 'clients'), { recursive: true, force: true })
await mkdir(join(folder, 'clients'))
await copyFile(document, join(folder, 'openapi.json'))
const results = []
for (const name of Object.keys(programs)) results.push(await run(name))
// Other checks of this repository must not find them.
await rm(join(folder, 'clients'), { recursive: true })
await rm(join(folder, 'openapi.json'))
process.exitCode = results.includes(false) ? 1 : 0
