import { setTimeout as pause } from 'node:timers/promises'
import { nextLine, startScript } from '../../../test/support/processes/child-process.ts'
import { waitFor } from '../../../test/support/time/wait-for.ts'
import { type Campaign, isAskedFor, type Plan, type Report } from '../campaign.ts'
import { createWalker } from '../honest/walker.ts'
import { type Seen, startWatch, type Watch } from '../honest/watch.ts'
import { findFaults } from '../house/faults-in-log.ts'
import { campaignConfig, type House } from '../house/house.ts'
import { makeZone } from '../house/make-zone.ts'
import { createRandom } from '../random.ts'
import type { Attack } from './attack.ts'
import { attacks } from './attacks.ts'

const walkersCount = 10
const attackersCount = 20
/** Well within the lifetime of a token. */
const tokensMs = 5 * 60_000
const newcomerMsMax = 60_000
/** A pause for effects of an attack to end before the next measurement; at most the duration of the attack. */
const restMsMax = 1_000
/** An attacker that is too busy to notice the end is killed. */
const endMsMax = 1_000
const script = new URL('./attack-script.ts', import.meta.url).pathname

/**
 * The allowed effects of an attack, on a machine that also runs the attacker: rates relative to those before it, times in
 * milliseconds.
 */
const bounds = { framesPart: 0.5, tickHertz: 15, healthzMs: 2_000, memoryMiB: 300, lagMs: 200 } as const

const signInAttackers = async (house: House): Promise<readonly string[]> => {
  const tokens: string[] = []
  for (let i = 0; i < attackersCount; i += 1) tokens.push(await house.stage.signIn(house.url(), `hostile-${i}@example.com`))
  return tokens
}

/** The time that a new player needed to join, in milliseconds, or the fault. */
type Newcomer = { readonly ms: number } | { readonly fault: string }

/** Measurements during the attack. */
type During = Seen & { readonly newcomer: Newcomer; readonly observed: readonly string[] }

/** Effects that do not depend on the speed of the machine. */
const judgeHarm = (
  { lossesOfWalkers, newcomer, lagMaxMs, observed }: During,
  { lagMsMax = Number.POSITIVE_INFINITY }: Attack,
): readonly string[] => [
  ...observed,
  ...(lagMaxMs > lagMsMax ? [`the loop was held for ${lagMaxMs} ms`] : []),
  ...(lossesOfWalkers > 0 ? [`${lossesOfWalkers} walkers were thrown out`] : []),
  ...('fault' in newcomer ? [`a newcomer of another address cannot come in: ${newcomer.fault}`] : []),
]

/** All effects of the attack that exceed the bounds. */
const judge = (before: Seen, during: Seen): readonly string[] => {
  const isSlower = during.framesPerSecond < before.framesPerSecond * bounds.framesPart && during.tickHertz < bounds.tickHertz
  return [
    isSlower ? `walkers get ${during.framesPerSecond} frames a second instead of ${before.framesPerSecond}` : '',
    during.healthzFailed > 0 ? `/healthz failed ${during.healthzFailed} times` : '',
    during.healthzP99Ms > bounds.healthzMs ? `/healthz takes ${during.healthzP99Ms} ms` : '',
    during.rssMiB > before.rssMiB + bounds.memoryMiB ? `memory went from ${before.rssMiB} to ${during.rssMiB} MiB` : '',
    during.lagMaxMs > before.lagMaxMs + bounds.lagMs
      ? `the loop was held for ${during.lagMaxMs} ms, ${before.lagMaxMs} before`
      : '',
  ].filter((fault) => fault !== '')
}

const untilInFullSwing = (plan: Plan): Promise<void> => pause(plan.amount * 600)

const untilNewcomerIsIn = async (house: House, plan: Plan): Promise<Newcomer> => {
  await untilInFullSwing(plan)
  const email = 'newcomer@example.com'
  const signIn = () => house.stage.signIn(house.url(), email)
  const newcomer = createWalker(email, house.url, signIn, createRandom(plan.seed, email))
  const beganMs = performance.now()
  const late = { fault: `not within ${newcomerMsMax} ms` }
  const entering = newcomer.enter().then(() => ({ ms: Math.round(performance.now() - beganMs) }))
  const outcome = await Promise.race([entering, pause(newcomerMsMax, late, { ref: false })]).catch((fault) => ({
    fault: String(fault),
  }))
  if ('ms' in outcome) await newcomer.leave()
  return outcome
}

const runAttack = async (
  house: House,
  watch: Watch,
  attack: Attack,
  { tokens, zoneId, plan }: { readonly tokens: readonly string[]; readonly zoneId: string; readonly plan: Plan },
) => {
  const given = (await attack.prepare?.(house)) ?? {}
  const child = startScript(script, [
    JSON.stringify({ attack: attack.name, url: house.url(), tokens, zoneId, given, seed: plan.seed }),
  ])
  try {
    await nextLine(child)
    const before = await watch.during(plan.amount * 500)
    child.process.stdin.write('begin\n')
    const [during, newcomer, observed] = await Promise.all([
      watch.during(plan.amount * 1000),
      untilNewcomerIsIn(house, plan),
      untilInFullSwing(plan).then(async () => (await attack.observe?.(house)) ?? []),
    ])
    return { before, during: { ...during, newcomer, observed } }
  } finally {
    child.process.stdin.end()
    setTimeout(() => child.process.kill('SIGKILL'), endMsMax).unref()
    await child.ended
  }
}

const bringBack = async (house: House, watch: Watch): Promise<boolean> => {
  const back = async (): Promise<boolean> => {
    for (const walker of watch.walkers) if (!walker.isIn()) await walker.enter()
    return true
  }
  return waitFor(() => back().catch(() => false), 60_000).then(
    () => house.isRunning(),
    () => false,
  )
}

const findNewFaults = (house: House, known: Set<string>): readonly string[] => {
  const lines = house.processes().flatMap(({ server }) => findFaults(server.stdout() + server.stderr()))
  const fresh = lines.filter((line) => !known.has(line))
  for (const line of fresh) known.add(line)
  return fresh
}

const runAttacks = async (house: House, plan: Plan, report: Report) => {
  await house.start()
  const watch = await startWatch(house, walkersCount, plan.seed)
  const zoneId = await makeZone(house)
  const figures: Record<string, unknown> = {}
  const logged = new Set<string>()
  let tokens: readonly string[] = []
  let signedInMs = Number.NEGATIVE_INFINITY
  const chosen = attacks.filter(({ name }) => isAskedFor(name, plan))
  for (const [index, attack] of chosen.entries()) {
    if (performance.now() > plan.endsAtMs) break
    if (performance.now() - signedInMs > tokensMs) {
      tokens = await signInAttackers(house)
      signedInMs = performance.now()
    }
    const { before, during } = await runAttack(house, watch, attack, { tokens, zoneId, plan })
    const isBack = await bringBack(house, watch)
    const harm = [
      ...judgeHarm(during, attack),
      ...(isBack ? [] : ['walkers cannot come back within 60 s of its end']),
      ...(house.isRunning() ? [] : ['a process has ended']),
      ...findNewFaults(house, logged).map((line) => `the log has a fault: ${line}`),
    ]
    const slowness = judge(before, during)
    const what = `${attack.name}: honest clients do not notice`
    for (const fault of harm) report.finding({ what, index, detail: { fault, before, during } })
    for (const fault of slowness) report.finding({ what, index, detail: { fault, before, during }, isMeasured: true })
    const faults = [...harm, ...slowness]
    figures[attack.name] = { before, during }
    report.note(`${house.store}: ${attack.name}: ${faults.length === 0 ? 'not noticed' : faults.join('; ')}`)
    if (!house.isRunning()) break
    await pause(Math.min(restMsMax, plan.amount * 1000))
  }
  await watch.close().catch(() => undefined)
  return { attacks: Object.keys(figures).length, of: chosen.length, figures }
}

/** Attacks the server with each kind of hostile client in turn, while honest walkers measure. */
export const hostile: Campaign = {
  name: 'hostile',
  unit: 'seconds for each attack',
  amount: 10,
  serverConfig: `${campaignConfig}realtime: { viewRadius: 3 }\n`,
  run: runAttacks,
}
