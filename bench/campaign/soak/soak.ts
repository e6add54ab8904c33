import { setTimeout as pause } from 'node:timers/promises'
import type { Campaign, Plan, Report } from '../campaign.ts'
import { type Seen, startWatch } from '../honest/watch.ts'
import { findFaults } from '../house/faults-in-log.ts'
import { campaignConfig, type House } from '../house/house.ts'
import { makeZone } from '../house/make-zone.ts'
import { createRandom } from '../random.ts'
import { pickDoing, type SoakScene } from './doings.ts'
import { inFifths, judgeFifths } from './fifths.ts'

const walkersCount = 20
const doersCount = 4
const pauseMs = 50
const samplesMax = 100
const sampleMsMin = 1_000

const runSoak = async (house: House, plan: Plan, report: Report) => {
  await house.start()
  const watch = await startWatch(house, walkersCount, plan.seed)
  const zoneId = await makeZone(house)
  let number = 0
  const nextNumber = (): number => {
    number += 1
    return number
  }
  const done: Record<string, number> = {}
  const failed = new Map<string, number>()
  let isOver = false
  const doWithoutEnd = async (doer: number): Promise<void> => {
    const random = createRandom(plan.seed, 'soak', house.store, doer)
    // Each has separate walkers, so that their connections do not interfere.
    const walkers = watch.walkers.filter((_, i) => i % doersCount === doer)
    const scene: SoakScene = { house, watch: { ...watch, walkers }, random, zoneId, nextNumber }
    for (let turn = 0; !isOver; turn += 1) {
      const doing = pickDoing(random)
      try {
        await doing.run(scene)
        done[doing.name] = (done[doing.name] ?? 0) + 1
      } catch (error) {
        const what = `${doing.name}: everyday use works`
        failed.set(what, (failed.get(what) ?? 0) + 1)
        if ((failed.get(what) ?? 0) <= 3) report.finding({ what, index: turn, detail: { error: String(error), doer } })
      }
      await pause(pauseMs)
    }
  }
  const doers = Array.from({ length: doersCount }, (_, i) => doWithoutEnd(i))
  const beganMs = performance.now()
  const sampleMs = Math.max(sampleMsMin, (plan.endsAtMs - beganMs) / samplesMax)
  const samples: Seen[] = []
  while (performance.now() + sampleMs <= plan.endsAtMs || samples.length < 5) {
    samples.push(await watch.during(sampleMs))
    if (samples.length % 10 === 0) report.note(`${house.store}: ${JSON.stringify(samples.at(-1))}`)
  }
  isOver = true
  await Promise.all(doers)
  const fifths = inFifths(samples)
  for (const fault of judgeFifths(fifths))
    report.finding({ what: 'nothing grows and nothing slows down', index: 0, detail: { fault }, isMeasured: true })
  for (const { part, server } of house.processes())
    for (const line of findFaults(server.stdout() + server.stderr()))
      report.finding({ what: 'the log has no fault', index: 0, detail: { part, line } })
  const losses = samples.reduce((sum, { lossesOfWalkers }) => sum + lossesOfWalkers, 0)
  if (losses > 0) report.finding({ what: 'no player is disconnected', index: 0, detail: { losses } })
  await watch.close()
  return {
    minutes: Math.round((performance.now() - beganMs) / 6_000) / 10,
    walkers: walkersCount,
    done,
    failed: Object.fromEntries(failed),
    fifths,
  }
}

/**
 * Lets players walk, chat, build, leave and return, and administrators make changes. Checks whether anything grows or slows down.
 */
export const soak: Campaign = {
  name: 'soak',
  unit: 'minutes',
  amount: 120,
  serverConfig: `${campaignConfig}realtime: { viewRadius: 4 }\n`,
  run: runSoak,
}
