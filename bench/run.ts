import { writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { parseArgs } from 'node:util'
import { accounts } from './accounts/accounts.ts'
import { auditPruning } from './audit/prune-audit.ts'
import { coldStart } from './cloud/cold-start.ts'
import { warmHandler } from './cloud/warm-handler.ts'
import { permissionDecision } from './configs/permission-decision.ts'
import { configPropagation } from './configs/propagation.ts'
import { configSave } from './configs/save.ts'
import { configStart } from './configs/start.ts'
import { consolePages } from './console/console.ts'
import { bannedSignIn } from './http/banned-sign-in.ts'
import { loopHolds } from './http/holds/loop-holds.ts'
import { oauthSignIn } from './http/oauth-sign-in.ts'
import { openRoutes } from './http/open-routes.ts'
import { propagation } from './http/propagation.ts'
import { signInLoad } from './http/sign-in.ts'
import { tokenCheck } from './http/token-check.ts'
import { historyCost } from './land/history-cost.ts'
import { backup, rollback } from './land/under-walkers.ts'
import { memoryCosts } from './memory/memory-costs.ts'
import { play } from './play/play.ts'
import { controlFloods } from './realtime/control-floods.ts'
import { crossNodeChat } from './realtime/cross-node-chat.ts'
import { crossNodeRevocation } from './realtime/cross-node-revocation.ts'
import { fanOutDense, fanOutSparse, joins, onePoint } from './realtime/fan-out.ts'
import { growth } from './realtime/growth.ts'
import { handOverBusy } from './realtime/hand-over-busy.ts'
import { idleSessions } from './realtime/idle-sessions.ts'
import { newLand } from './realtime/new-land.ts'
import { refusedRequests } from './realtime/refused-requests.ts'
import { worldFeedCrowd } from './realtime/world-feed-crowd.ts'
import type { Bench, BenchResult } from './result.ts'
import { bots } from './sdk/bots.ts'
import { readPlayers } from './sdk/read-players.ts'
import { chunkStore } from './worlds/chunk-store.ts'
import { generation } from './worlds/generation.ts'
import { historyPage } from './worlds/history-page.ts'
import { mapTiles } from './worlds/map-tiles.ts'
import { streaming } from './worlds/streaming.ts'
import { worldFeedWall } from './worlds/world-feed-wall.ts'
import { playersInZones } from './zones/players-in-zones.ts'
import { zoneBlocks } from './zones/zone-blocks.ts'
import { zoneFeed } from './zones/zone-feed.ts'
import { zoneIndex } from './zones/zone-index.ts'

/** Every bench; `npm run bench -- token-check one-point` runs some, `--out FILE` writes the JSON to a file. */
const benches: readonly Bench[] = [
  tokenCheck,
  openRoutes,
  signInLoad,
  oauthSignIn,
  bannedSignIn,
  accounts,
  propagation,
  loopHolds,
  auditPruning,
  fanOutSparse,
  fanOutDense,
  growth,
  memoryCosts,
  newLand,
  onePoint,
  joins,
  idleSessions,
  controlFloods,
  refusedRequests,
  crossNodeChat,
  crossNodeRevocation,
  handOverBusy,
  generation,
  readPlayers,
  play,
  consolePages,
  bots,
  chunkStore,
  historyPage,
  historyCost,
  rollback,
  backup,
  mapTiles,
  worldFeedWall,
  worldFeedCrowd,
  streaming,
  zoneIndex,
  playersInZones,
  zoneBlocks,
  zoneFeed,
  configStart,
  configSave,
  permissionDecision,
  configPropagation,
  coldStart,
  warmHandler,
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
