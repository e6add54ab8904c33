import { writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { parseArgs } from 'node:util'
import { accounts } from './accounts/accounts.ts'
import { consolePages } from './console/console.ts'
import { apiToken } from './http/api-token.ts'
import { signInLoad } from './http/sign-in.ts'
import { tokenCheck } from './http/token-check.ts'
import { modules } from './modules/modules.ts'
import { play } from './play/play.ts'
import { fanOutDense, fanOutSparse, joins, onePoint } from './realtime/fan-out.ts'
import { growth } from './realtime/growth.ts'
import type { Bench, BenchResult } from './result.ts'
import { chunkStore } from './worlds/chunk-store.ts'
import { mapTiles } from './worlds/map-tiles.ts'
import { streaming } from './worlds/streaming.ts'
import { zoneBlocks } from './zones/zone-blocks.ts'

/** Every bench; `npm run bench -- token-check one-point` runs some, `--out FILE` writes the JSON to a file. */
const benches: readonly Bench[] = [
  tokenCheck,
  apiToken,
  signInLoad,
  accounts,
  fanOutSparse,
  fanOutDense,
  growth,
  onePoint,
  joins,
  play,
  consolePages,
  chunkStore,
  mapTiles,
  streaming,
  zoneBlocks,
  modules,
]

const usage = `Usage: npm run bench -- [NAME …] [--out FILE]

Without a name it runs all of them: ${benches.map(({ name }) => name).join(', ')}.
It prints JSON to standard output, or to FILE. Exit status: 0 all targets are met, 1 a target is missed or a bench could not run, 2 wrong usage.
`

const readArguments = () => {
  try {
    return parseArgs({ allowPositionals: true, options: { out: { type: 'string' }, help: { type: 'boolean' } } })
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`)
    process.exit(2)
  }
}

const { values, positionals } = readArguments()
if (values.help) {
  process.stdout.write(usage)
  process.exit(0)
}
const unknown = positionals.filter((name) => !benches.some((bench) => bench.name === name))
if (unknown.length > 0) {
  process.stderr.write(`There is no bench ${unknown.join(', ')}.\n\n${usage}`)
  process.exit(2)
}

const results: BenchResult[] = []
/** By name, the reason why a bench could not run; results of others are reported anyway. */
const faults: Record<string, string> = {}
for (const bench of benches.filter(({ name }) => positionals.length === 0 || positionals.includes(name))) {
  process.stderr.write(`${bench.name} …\n`)
  try {
    results.push(...(await bench.run()))
  } catch (error) {
    faults[bench.name] = error instanceof Error ? error.message : String(error)
    process.stderr.write(`${bench.name} could not run: ${error instanceof Error ? error.stack : String(error)}\n`)
  }
}
const report = { node: process.version, cores: cpus().length, cpu: cpus()[0]?.model, results, faults }
const text = `${JSON.stringify(report, null, 2)}\n`
if (values.out === undefined) process.stdout.write(text)
else writeFileSync(values.out, text)
const missed = results.filter(({ met }) => met === false)
for (const { bench, figure, value, unit, target } of missed)
  process.stderr.write(`missed: ${bench}: ${figure}: ${value} ${unit}, target ${target}\n`)
process.exit(missed.length > 0 || Object.keys(faults).length > 0 ? 1 : 0)
