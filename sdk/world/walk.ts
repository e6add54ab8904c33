import type { SessionState } from '../connection/session-events.ts'
import { GatehouseError, SessionEndedError } from '../errors.ts'
import type { Correction, CorrectionReason, Position, Welcome } from '../protocol/generated/gatehouse.ts'
import type { Timers } from '../timers.ts'
import type { BlockCache } from './block-cache.ts'
import { findFooting } from './ground.ts'
import type { Mover } from './mover.ts'

/** Why a walk ended early: the reason of a Correction, or a reason of this library. */
export type WalkEnd = CorrectionReason | 'not-loaded' | 'not-connected' | 'replaced' | 'stopped'

/** A walk ended before its place. `code` is the reason. */
export class WalkError extends GatehouseError {
  override readonly name = 'WalkError'
  declare readonly code: WalkEnd
}

/** Options of a walk. */
export type WalkOptions = {
  /** Stops the walk: it rejects with the reason of the signal. */
  readonly signal?: AbortSignal
}

type Walker = {
  /** See `WatchedWorld.walkTo`. */
  walkTo(x: number, z: number, options?: WalkOptions): Promise<void>
  /** Handles a Correction that the mover has applied. */
  correct(correction: Correction): void
  stop(): void
}

const stepMs = 100
/** The speed of a server that names none. Every server allows it. */
const usualSpeed = 4
/** How long a walk waits for a connection, for land, or for its speed. */
const waitMsMax = 10_000
/** Refusals that may pass. */
const passing: ReadonlySet<string> = new Set(['too-fast', 'not-loaded', 'edge', 'not-connected'])

const texts: Readonly<Record<string, string>> = {
  blocked: 'A block is in the way.',
  edge: 'The land there is not there yet.',
  'not-loaded': 'The land there is not known. Is the view radius 0?',
  'not-connected': 'There is no connection.',
  'zone-closed': 'Only members may enter the zone there.',
  'out-of-bounds': 'The place is outside of the world.',
  teleport: 'The player was moved somewhere else.',
  replaced: 'Another walk began.',
}

/** Walks straight, up one block and down three, in small moves. */
export const createWalker = (
  session: { welcome(): Welcome; state?(): SessionState; ping?(): Promise<unknown> },
  world: {
    readonly blocks: Pick<BlockCache, 'blockAt'>
    readonly mover: Pick<Mover, 'position'>
    /** Returns why there is no move. */
    moveTo(to: Partial<Position>): string | undefined
  },
  timers: Timers,
): Walker => {
  let current: { reject(error: unknown): void; corrected?: string } | undefined

  const fail = (reason: string): WalkError => {
    const { x, y, z } = world.mover.position()
    const at = [x, y, z].map((value) => value.toFixed(1)).join(' ')
    return new WalkError(reason, `The walk ended at ${at}. ${texts[reason] ?? `The server refuses the way: ${reason}.`}`)
  }
  /** One move towards the place. Returns why there was none, and undefined once it was made. */
  const step = (x: number, z: number): string | undefined => {
    const from = world.mover.position()
    const distance = Math.hypot(x - from.x, z - from.z)
    const blocks = ((session.welcome().movement?.walkSpeed ?? usualSpeed) * stepMs) / 1_000
    const part = Math.min(1, blocks / distance)
    const to = { x: from.x + (x - from.x) * part, z: from.z + (z - from.z) * part }
    const yaw = ((Math.atan2(z - from.z, x - from.x) * 180) / Math.PI + 360) % 360
    return world.moveTo({
      x: part === 1 ? x : to.x,
      z: part === 1 ? z : to.z,
      y: findFooting(world.blocks, { ...to, y: from.y }),
      yaw,
    })
  }
  const isThere = (x: number, z: number): boolean => {
    const { x: atX, z: atZ } = world.mover.position()
    return Math.hypot(x - atX, z - atZ) < 0.01
  }

  return {
    walkTo: (x, z, { signal } = {}) => {
      current?.reject(fail('replaced'))
      return new Promise<void>((resolve, reject) => {
        let stopTimer = (): void => undefined
        let waitedMs = 0
        const abort = (): void => walk.reject(signal?.reason)
        const end = (): void => {
          stopTimer()
          signal?.removeEventListener('abort', abort)
          if (current === walk) current = undefined
        }
        const walk: NonNullable<typeof current> = {
          reject: (error) => {
            end()
            reject(error)
          },
        }
        const advance = (refusal: string | undefined): void => {
          waitedMs = refusal === undefined ? 0 : waitedMs + stepMs
          if (refusal !== undefined && (!passing.has(refusal) || waitedMs > waitMsMax)) walk.reject(fail(refusal))
          else stopTimer = timers.after(stepMs, go)
        }
        const arrive = async (): Promise<void> => {
          // The server answers in order: a Correction of the last move comes before this Pong.
          const lost = await session.ping?.().then(
            () => undefined,
            () => 'not-connected',
          )
          if (current !== walk) return
          if (lost !== undefined || !isThere(x, z)) advance(lost)
          else {
            end()
            resolve()
          }
        }
        const go = (): void => {
          const state = session.state?.()
          const corrected = walk.corrected
          delete walk.corrected
          if (state?.name === 'ended') walk.reject(new SessionEndedError(state.reason, state.text))
          else if (corrected !== undefined && !passing.has(corrected)) walk.reject(fail(corrected))
          else if (isThere(x, z)) void arrive()
          else advance(corrected ?? step(x, z))
        }
        current = walk
        signal?.addEventListener('abort', abort, { once: true })
        if (signal?.aborted) abort()
        else go()
      })
    },
    correct: ({ reason }) => {
      if (current !== undefined) current.corrected = reason
    },
    stop: () => current?.reject(fail('stopped')),
  }
}
