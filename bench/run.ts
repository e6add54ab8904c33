import { writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { parseArgs } from 'node:util'
import type { Bench, BenchResult } from './result.ts'

/**
 * Every bench; `npm run bench -- token-check growth` runs some, `--out FILE` writes the JSON to a file. A bench is loaded when
 * it runs: all of them take seconds.
 */
const benches: Readonly<Record<string, () => Promise<Bench>>> = {
  'token-check': async () => (await import('./http/token-check.ts')).tokenCheck,
  'sign-in': async () => (await import('./http/sign-in.ts')).signInLoad,
  accounts: async () => (await import('./accounts/accounts.ts')).accounts,
  'fan-out-sparse': async () => (await import('./realtime/fan-out.ts')).fanOutSparse,
  'fan-out-dense': async () => (await import('./realtime/fan-out.ts')).fanOutDense,
  growth: async () => (await import('./realtime/growth.ts')).growth,
  joins: async () => (await import('./realtime/fan-out.ts')).joins,
  play: async () => (await import('./play/play.ts')).play,
  console: async () => (await import('./console/console.ts')).consolePages,
  streaming: async () => (await import('./worlds/streaming.ts')).streaming,
  'zone-blocks': async () => (await import('./zones/zone-blocks.ts')).zoneBlocks,
  modules: async () => (await import('./modules/modules.ts')).modules,
}
const names = Object.keys(benches)

const usage = `Usage: npm run bench -- [NAME …] [--out FILE]

Without a name it runs all of them: ${names.join(', ')}.
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
const unknown = positionals.filter((name) => !names.includes(name))
if (unknown.length > 0) {
  process.stderr.write(`There is no bench ${unknown.join(', ')}.\n\n${usage}`)
  process.exit(2)
}

const results: BenchResult[] = []
/** By name, the reason why a bench could not run; results of others are reported anyway. */
const faults: Record<string, string> = {}
for (const [name, load] of Object.entries(benches)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue
  process.stderr.write(`${name} …\n`)
  try {
    results.push(...(await (await load()).run()))
  } catch (error) {
    faults[name] = error instanceof Error ? error.message : String(error)
    process.stderr.write(`${name} could not run: ${error instanceof Error ? error.stack : String(error)}\n`)
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
