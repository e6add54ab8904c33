import { ask } from '../../../test/e2e/support/api.ts'
import { type Campaign, type Finding, isAskedFor, type Plan, type Report } from '../campaign.ts'
import { findFaults } from '../house/faults-in-log.ts'
import { campaignConfig, type House, type Part, untilReady } from '../house/house.ts'
import { createRandom, type Random } from '../random.ts'
import { createLedger, type Ledger } from './ledger.ts'
import { accounts } from './writes/accounts.ts'
import { auditEntries } from './writes/audit-entries.ts'
import { configs } from './writes/configs.ts'
import { edits } from './writes/edits.ts'
import { feedEdits, findFedZone, untilFeedOpens } from './writes/feed-edits.ts'
import { places } from './writes/places.ts'
import { switchedCommands } from './writes/switched-commands.ts'
import { worlds } from './writes/worlds.ts'
import { zones } from './writes/zones.ts'
import { enterGame, type Scene, type WriteKind } from './written.ts'

/** Every kind of durable write; a new one is one file and one line here. */
const writeKinds: readonly WriteKind[] = [
  accounts,
  auditEntries,
  configs,
  edits,
  feedEdits,
  places,
  switchedCommands,
  worlds,
  zones,
]

/** The limit from the ready line to `/readyz`, and from there to a feed. */
const readyMsMax = 60_000
const roundsToFull = 50
const roundsToCheck = 20
const writeMsMax = 4_000

/** The processes to kill in a round: with two processes one or both, or Redis with any of them. */
const victimsOf = ({ parts }: House, random: Random): readonly Part[] => {
  if (parts.length === 1) return parts
  const chosen = parts.filter(() => random.chance(0.5))
  return chosen.length === 0 ? [random.pick(parts)] : chosen
}

type Run = {
  readonly house: House
  readonly ledger: Ledger
  readonly report: Report
  readonly kinds: readonly WriteKind[]
  readonly nextNumber: () => number
}

const createScene = async ({ house, ledger, nextNumber }: Run, random: Random, isOn: () => boolean): Promise<Scene> => {
  const token = await house.bossToken(true)
  return {
    house,
    ledger,
    token,
    random,
    isOn,
    nextNumber,
    write: async (what, send) => {
      const requestId = `kill9-${nextNumber()}`
      try {
        const answer = await ask(house.url(), what, { ...send, token, headers: { ...send.headers, 'X-Request-Id': requestId } })
        if (answer.status < 300) ledger.acknowledge(`audit ${requestId}`, 'there')
        return answer
      } catch {
        return undefined
      }
    },
  }
}

/** Lets all streams write until the kill of this round; resolves when all have stopped. */
const writeAndKill = async (
  run: Run,
  random: Random,
  found: (finding: Omit<Finding, 'index'>) => void,
): Promise<readonly Part[]> => {
  let isOn = true
  const scene = await createScene(run, random, () => isOn)
  const streams = run.kinds.map((kind) =>
    kind.stream(scene).catch((error: unknown) => {
      if (isOn) found({ what: `${kind.name}: its stream of writes continues until the kill`, detail: { error: String(error) } })
    }),
  )
  const wanted = run.ledger.acknowledged() + random.int(1, 120)
  const untilMs = performance.now() + random.int(50, writeMsMax)
  while (run.ledger.acknowledged() < wanted && performance.now() < untilMs) await new Promise((resolve) => setTimeout(resolve, 2))
  const victims = victimsOf(run.house, random)
  const killed = run.house.kill(victims)
  isOn = false
  await killed
  await Promise.all(streams)
  return victims
}

const checkWorld = async (house: House): Promise<string | undefined> => {
  const check = house.stage.launch('tools/world.ts', ['check', 'default'], { ...house.variables })
  const code = await check.ended
  return code === 0 ? undefined : `world check ended with ${code}: ${check.stdout().slice(-500)}${check.stderr().slice(-500)}`
}

/** Whether the worlds are free after the kill. With Redis, other nodes remember a killed node for a while and wait for it. */
const mayCheck = (victims: readonly Part[]): boolean =>
  victims.includes('all') || (victims.includes('realtime') && !victims.includes('redis'))

/** Restarts the killed parts, and compares. */
const startAndCompare = async (
  run: Run,
  random: Random,
  all: boolean,
  found: (finding: Omit<Finding, 'index'>) => void,
): Promise<{ readonly startMs: number; readonly readyMs: number; readonly feedMs: number }> => {
  const { house, kinds } = run
  const startMs = await house.start()
  const readyMs = await untilReady(house, readyMsMax)
  if (readyMs === undefined) found({ what: `/readyz is good within ${readyMsMax} ms of the start`, detail: {} })
  for (const { part, server } of house.processes()) {
    const { body } = await ask(server.url, 'GET /readyz').catch((error: unknown) => ({ body: { warnings: [String(error)] } }))
    const warnings = Array.isArray(body.warnings) ? body.warnings : []
    if (warnings.length > 0) found({ what: 'the next start needs no repair', detail: { part, warnings } })
    const faults = findFaults(server.stdout() + server.stderr())
    if (faults.length > 0) found({ what: 'the log has no fault', detail: { part, faults } })
  }
  const scene = await createScene(run, random, () => true)
  const feedMs = await untilFeedOpens(scene).catch((error: unknown) => {
    found({ what: 'feeds open once /readyz is good', detail: { error: String(error) } })
    return -1
  })
  for (const kind of kinds) {
    const faults = await kind.compare(scene, all).catch((error: unknown) => [`could not be compared: ${String(error)}`])
    for (const fault of faults) found({ what: `${kind.name}: acknowledged writes are complete`, detail: { fault } })
  }
  return { startMs, readyMs: readyMs ?? readyMsMax, feedMs }
}

const summarise = (values: readonly number[]) => {
  const sorted = [...values].sort((a, b) => a - b)
  const at = (part: number): number => Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0)
  return { p50: at(0.5), p99: at(0.99), max: at(1) }
}

/** Runs before the first round: allows builders to build inside zones, and generates the ground of the feed's zone. */
const prepare = async (run: Run): Promise<void> => {
  const { house } = run
  await house.start()
  const scene = await createScene(run, createRandom('prepare'), () => true)
  const body = { email: 'builder@example.com', password: 'a good password', groups: ['builder'] }
  await ask(house.url(), 'POST /api/admin/users', { token: scene.token, body })
  const guide = await enterGame(scene, await house.stage.signIn(house.url(), body.email))
  await findFedZone(scene)
  guide.session.drop()
}

const runRounds = async (house: House, plan: Plan, report: Report) => {
  const ledger = createLedger()
  let number = 0
  const nextNumber = (): number => {
    number += 1
    return number
  }
  const kinds = writeKinds.filter(({ name }) => isAskedFor(name, plan))
  const run: Run = { house, ledger, report, kinds, nextNumber }
  const kills: Record<string, number> = {}
  const times: { startMs: number; readyMs: number; feedMs: number }[] = []
  await prepare(run)
  let round = plan.from
  let [checks, roundsUnchecked] = [0, 0]
  for (; round < plan.from + plan.amount && performance.now() < plan.endsAtMs; round += 1) {
    const random = createRandom(plan.seed, 'kill9', house.store, round)
    const found = (finding: Omit<Finding, 'index'>) => report.finding({ ...finding, index: round })
    const isLast = () => round === plan.from + plan.amount - 1 || performance.now() >= plan.endsAtMs
    try {
      const victims = await writeAndKill(run, random, found)
      kills[victims.join('+')] = (kills[victims.join('+')] ?? 0) + 1
      roundsUnchecked += 1
      if (mayCheck(victims) && (isLast() || roundsUnchecked >= roundsToCheck)) {
        roundsUnchecked = 0
        checks += 1
        const fault = await checkWorld(house)
        if (fault !== undefined) found({ what: 'a world needs no repair after a kill', detail: { fault } })
      }
      times.push(await startAndCompare(run, random, isLast() || round % roundsToFull === roundsToFull - 1, found))
    } catch (error) {
      found({ what: 'the server restarts and answers', detail: { error: String(error).slice(0, 3000) } })
      break
    }
    if (round % 10 === 9)
      report.note(`${house.store}: round ${round + 1}, ${ledger.acknowledged()} acknowledged, ${ledger.compared()} compared`)
  }
  if (checks === 0) report.note(`${house.store}: after each kill a process still held the worlds, so they were not checked`)
  if (round < plan.from + plan.amount)
    report.note(`${house.store}: its time ended it after ${round - plan.from} of ${plan.amount} rounds`)
  return {
    rounds: round - plan.from,
    kills,
    checks,
    acknowledged: ledger.acknowledged(),
    compared: ledger.compared(),
    startMs: summarise(times.map(({ startMs }) => startMs)),
    readyMs: summarise(times.map(({ readyMs }) => readyMs)),
    feedMs: summarise(times.map(({ feedMs }) => feedMs)),
  }
}

/** Kills the server at a seeded moment during writes of every kind, restarts it, and compares each acknowledged write. */
export const kill9: Campaign = {
  name: 'kill9',
  unit: 'rounds',
  amount: 1000,
  serverConfig: `${campaignConfig}realtime: { messagesPerSecond: 10000, messageBurst: 20000, viewRadius: 3 }\n`,
  run: runRounds,
}
