import { bodyBytesDefault } from '../../functions/http/body-sizes.ts'
import { hostileBodies } from '../http/holds/hostile-bodies.ts'
import { type Bench, type BenchResult, round } from '../result.ts'
import { type Disturbance, type DisturbancePlan, measureByTurns } from './by-turns.ts'
import type { BenchChild } from './child.ts'

const bench = 'refused-requests'
const refusals: Disturbance = { bench, script: 'realtime/refused-requests-load.ts', players: 0, name: 'refused requests' }
const atOnce = 50
const inARow = 200
const boundMiB = 64

const readRss = async (server: BenchChild): Promise<number> => {
  server.send('memory')
  return server.wait((message) => (typeof message.rssMiB === 'number' ? message.rssMiB : undefined))
}

const refuse = async ({ port, admin }: DisturbancePlan, body: string): Promise<void> => {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${admin}` }
  // A server may hang up instead of reading the body: that counts as an answer.
  const response = await fetch(`http://127.0.0.1:${port}/api/admin/users`, { method: 'POST', headers, body }).catch(
    () => undefined,
  )
  await response?.arrayBuffer()
}

/** The increase of the server's memory after bodies that are read and refused, 50 at once and then 200 in a row. */
const measureMemory = async (server: BenchChild, plan: DisturbancePlan): Promise<readonly BenchResult[]> => {
  const bodies = hostileBodies(bodyBytesDefault, ['groups']).map(([, body]) => body)
  const bodyOf = (index: number): string => bodies[index % bodies.length] ?? ''
  const beforeMiB = await readRss(server)
  await Promise.all(Array.from({ length: atOnce }, (_, index) => refuse(plan, bodyOf(index))))
  const afterCrowdMiB = await readRss(server)
  for (let index = 0; index < inARow; index += 1) await refuse(plan, bodyOf(index))
  const afterAllMiB = await readRss(server)
  const figure = (name: string, value: number) => ({
    bench,
    figure: `${name} (before: ${round(beforeMiB, 1)} MiB)`,
    value: round(value - beforeMiB, 1),
    unit: 'MiB',
    target: `under ${boundMiB}`,
    met: value - beforeMiB < boundMiB,
  })
  return [
    figure(`memory more after ${atOnce} refused bodies of 64 KiB at once`, afterCrowdMiB),
    figure(`memory more after ${inARow} more in a row`, afterAllMiB),
  ]
}

/**
 * Benchmarks 200 walkers, in turns alone and with 20 refused requests at once each second; then the memory that refused bodies
 * leave. It cannot show every route: `loop-holds` does.
 */
export const refusedRequests: Bench = {
  name: bench,
  run: async () => {
    const { results, rested } = await measureByTurns(refusals, measureMemory)
    const { sent = 0, refused = 0 } = rested
    if (refused < sent) throw new Error(`${sent - refused} of ${sent} requests were not refused`)
    return [...results, { bench, figure: 'requests refused', value: refused, unit: 'requests' }]
  },
}
