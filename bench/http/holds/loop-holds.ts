import { type Bench, median, round } from '../../result.ts'
import { type Door, type FrameCase, holdFrames, openDoors } from './frames.ts'
import type { HoldCase } from './hold-case.ts'
import { holdRequests } from './requests.ts'
import { openStage, type Stage } from './stage.ts'
import { makeThings } from './things.ts'

const rounds = 5
const boundMs = 20

const send = async ({ url, token }: Stage, { method, path, headers = {}, body }: HoldCase): Promise<number> => {
  const response = await fetch(url + path, {
    method,
    headers: { authorization: `Bearer ${token}`, ...headers },
    redirect: 'manual',
    ...(body === undefined ? {} : { body }),
  })
  await response.arrayBuffer()
  return response.status
}

type Held = { readonly name: string; readonly status: number; readonly firstMs: number; readonly holdMs: number }

/** The median, because other work on the machine sometimes takes the core for longer than any request. */
const measure = async (stage: Stage, name: string, cause: (turn: number) => Promise<number>): Promise<Held> => {
  const holds: number[] = []
  let status = 0
  for (let turn = 0; turn < rounds; turn += 1) {
    await stage.refreshToken()
    await stage.takeHoldMs()
    status = await cause(turn)
    holds.push(await stage.takeHoldMs())
  }
  return { name, status, firstMs: holds[0] ?? 0, holdMs: median(holds) }
}

// A server may hang up instead of reading the body: that counts as an answer.
const measureRequest = (stage: Stage, request: HoldCase): Promise<Held> =>
  measure(stage, request.name, async (turn) => {
    const prepared = await request.prepare?.(turn)
    if (prepared !== undefined) await stage.takeHoldMs()
    return send(stage, { ...request, ...prepared }).catch(() => 0)
  })

/** A frame that closes its socket uses a new one. Opening it is not measured. */
const measureFrame = (stage: Stage, door: Door, { name, frame }: FrameCase): Promise<Held> =>
  measure(stage, name, async () => {
    await door.open()
    await stage.takeHoldMs()
    return door.send(frame)
  })

/**
 * Benchmarks how long requests hold the event loop of a server at a stretch: every route, feeds and frames, valid and invalid. It
 * cannot show a slower processor, where every hold is longer.
 */
export const loopHolds: Bench = {
  name: 'loop-holds',
  run: async () => {
    const stage = await openStage()
    const doors = openDoors(stage)
    try {
      const held: Held[] = []
      for (const frame of holdFrames) held.push(await measureFrame(stage, doors[frame.door], frame))
      await doors.game.open()
      const things = await makeThings(stage, doors.game)
      for (const request of holdRequests(stage, things)) held.push(await measureRequest(stage, request))
      const worst = held.toSorted((one, other) => other.holdMs - one.holdMs)
      return worst.map(({ name, status, firstMs, holdMs }) => ({
        bench: 'loop-holds',
        figure: `${name} (${status}; at the first time ${round(firstMs, 1)} ms)`,
        value: round(holdMs, 1),
        unit: 'ms',
        target: `under ${boundMs}`,
        met: holdMs < boundMs,
      }))
    } finally {
      for (const door of Object.values(doors)) door.close()
      await stage.close()
    }
  },
}
