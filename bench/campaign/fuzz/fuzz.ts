import { type Campaign, isAskedFor, type Plan, type Report } from '../campaign.ts'
import { findFaults } from '../house/faults-in-log.ts'
import { campaignConfig, type House } from '../house/house.ts'
import { lagMsOf, mebibytes, readMetrics } from '../house/metrics.ts'
import { createRandom } from '../random.ts'
import { findStall } from './find-stall.ts'
import type { FuzzKind, Input, Outcome } from './fuzz-kind.ts'
import { commandLines } from './kinds/command-lines.ts'
import { configTexts } from './kinds/config-texts.ts'
import { feedMessages } from './kinds/feed-messages.ts'
import { frames } from './kinds/frames.ts'
import { requests } from './kinds/requests.ts'
import { taskArguments } from './kinds/task-arguments.ts'
import { usersByHand } from './kinds/users-by-hand.ts'
import { makeSmaller } from './make-smaller.ts'
import { openTarget, type Target } from './target.ts'

/** Every kind of inputs; a new one is one file and one line here. */
const fuzzKinds: readonly FuzzKind[] = [requests, configTexts, frames, commandLines, feedMessages, usersByHand, taskArguments]

const batchSize = 200
const lanes = 8
const inputsToRefresh = 4_000
/** A batch that held the loop for longer is checked input by input. */
const stallMsMax = 100
/** The first findings of one cause are printed, and the others counted. */
const sameMax = 5

/** The input of an index, independent of earlier ones. */
const createInput = (kinds: readonly FuzzKind[], target: Target, seed: number, index: number): Input => {
  const random = createRandom(seed, 'fuzz', index)
  const all = kinds.reduce((sum, { weight }) => sum + weight, 0)
  let at = random.next() * all
  const kind = kinds.find(({ weight }) => {
    at -= weight
    return at < 0
  })
  const chosen = kind ?? requests
  return { index, kind: chosen, parts: chosen.make(random, target) }
}

const sendSafely = async ({ kind, parts }: Input, target: Target): Promise<Outcome> =>
  kind.send(parts, target).catch((error: unknown) => ({ seen: 'no answer', fault: String(error) }))

const sendAll = async (
  inputs: readonly Input[],
  target: Target,
  take: (input: Input, outcome: Outcome) => void,
): Promise<void> => {
  const waiting = inputs.filter(({ kind }) => kind.alone !== true)
  const next = async (): Promise<void> => {
    for (let input = waiting.shift(); input !== undefined; input = waiting.shift()) take(input, await sendSafely(input, target))
  }
  await Promise.all(Array.from({ length: lanes }, next))
  for (const input of inputs.filter(({ kind }) => kind.alone === true)) {
    take(input, await sendSafely(input, target))
    await target.refresh()
  }
}

/** The longest hold of a loop in any process since the last read, and their memory. */
const readHealth = async (house: House) => {
  const all = await Promise.all(house.processes().map(({ metricsPort }) => readMetrics(metricsPort)))
  return {
    lagMs: Math.max(...all.map(lagMsOf)),
    rssMiB: Math.max(...all.map((metrics) => mebibytes(metrics?.get('process_resident_memory_bytes')))),
    answers: all.every((metrics) => metrics !== undefined),
  }
}

const describeInput = ({ index, kind, parts }: Input) => ({
  kind: kind.name,
  parts: JSON.stringify(parts).slice(0, 4000),
  repeat: `--from ${index} --inputs 1`,
})

const runInputs = async (house: House, plan: Plan, report: Report) => {
  await house.start()
  let target = await openTarget(house)
  const kinds = fuzzKinds.filter(({ name, fits }) => isAskedFor(name, plan) && (fits?.(target) ?? true))
  const seen: Record<string, number> = {}
  const same = new Map<string, number>()
  const logged = new Set<string>()
  let worst = { lagMs: 0, index: 0 }
  let rssMiB = 0
  let stalls = 0

  const found = (what: string, input: Input, detail: Record<string, unknown>): void => {
    const cause = `${what} ${input.kind.name} ${String(detail.fault ?? '').slice(0, 60)}`
    same.set(cause, (same.get(cause) ?? 0) + 1)
    if ((same.get(cause) ?? 0) <= sameMax)
      report.finding({ what, index: input.index, detail: { ...describeInput(input), ...detail }, isMeasured: 'lagMs' in detail })
  }
  const startAnew = async (): Promise<void> => {
    target.close()
    await house.kill(house.parts)
    await house.start()
    target = await openTarget(house)
  }
  const lookAtLog = (batch: readonly Input[]): void => {
    const [first] = batch
    for (const { part, server } of house.processes())
      for (const line of findFaults(server.stdout() + server.stderr())) {
        if (logged.has(line) || first === undefined) continue
        logged.add(line)
        report.finding({
          what: 'the log has no fault',
          index: first.index,
          detail: { part, line, until: batch.at(-1)?.index },
        })
      }
  }
  const judge = async (batch: readonly Input[], faulty: readonly (readonly [Input, string])[]): Promise<void> => {
    for (const [input, fault] of faulty) {
      const cause = `${fault.slice(0, 60)} ${input.kind.name}`
      const isNew = !same.has(`no input is answered like that ${input.kind.name} ${fault.slice(0, 60)}`)
      const smaller = isNew && house.isRunning() ? await makeSmaller(input, target) : input.parts
      found('no input is answered like that', input, { fault, smaller: JSON.stringify(smaller).slice(0, 1000), cause })
    }
    lookAtLog(batch)
    const health = await readHealth(house)
    rssMiB = Math.max(rssMiB, health.rssMiB)
    const [first] = batch
    if (first === undefined) return
    if (!house.isRunning() || !health.answers) {
      found('no input ends or stops a process', first, { fault: 'ended or silent', until: batch.at(-1)?.index })
      await startAnew()
    } else if (health.lagMs > worst.lagMs) worst = { lagMs: Math.round(health.lagMs), index: first.index }
    if (health.lagMs <= stallMsMax) return
    stalls += 1
    const stall = await findStall(
      batch.filter(({ kind }) => kind.alone !== true),
      {
        boundMs: stallMsMax,
        send: (inputs) => sendAll(inputs, target, () => undefined),
        readLagMs: async () => (await readHealth(house)).lagMs,
      },
    )
    if (stall !== undefined)
      found(`no input holds the loop for ${stallMsMax} ms`, stall.input, {
        lagMs: Math.round(stall.lagMs),
        bytes: JSON.stringify(stall.input.parts).length,
      })
  }

  await readHealth(house)
  const until = plan.from + plan.amount
  let index = plan.from
  // At least two batches run, however slow the machine is.
  const least = Math.min(until, index + 2 * batchSize)
  for (; index < least || (index < until && performance.now() < plan.endsAtMs); index += batchSize) {
    const indexes = Array.from({ length: Math.min(batchSize, until - index) }, (_, i) => index + i)
    const batch = indexes.map((one) => createInput(kinds, target, plan.seed, one))
    const faulty: (readonly [Input, string])[] = []
    await sendAll(batch, target, (input, outcome) => {
      const key = `${input.kind.name} ${outcome.seen}`
      seen[key] = (seen[key] ?? 0) + 1
      if (outcome.fault !== undefined) faulty.push([input, outcome.fault])
    })
    await judge(batch, faulty)
    if (Math.floor(index / inputsToRefresh) !== Math.floor((index + batchSize) / inputsToRefresh)) {
      await target.refresh()
      report.note(`${house.store}: ${index + batchSize - plan.from} inputs, worst stall ${worst.lagMs} ms, ${rssMiB} MiB`)
    }
  }
  target.close()
  return {
    inputs: Math.min(index, until) - plan.from,
    worstStallMs: worst.lagMs,
    worstStallNear: worst.index,
    batchesWithAStall: stalls,
    rssMiBMax: rssMiB,
    causes: Object.fromEntries(same),
    seen,
  }
}

/**
 * Sends generated and broken inputs of every kind. Checks that each gets a valid answer, and that none ends a process or holds
 * the loop.
 */
export const fuzz: Campaign = {
  name: 'fuzz',
  unit: 'inputs',
  amount: 1_000_000,
  serverConfig: `${campaignConfig}realtime: { messagesPerSecond: 10000, messageBurst: 20000, viewRadius: 2 }\n`,
  run: runInputs,
}
