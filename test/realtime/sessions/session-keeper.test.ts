import { beforeEach, describe, expect, it } from '@jest/globals'
import type { Session } from '../../../realtime/sessions/session.ts'
import { createSessionKeeper, type SessionKeeper } from '../../../realtime/sessions/session-keeper.ts'
import type { KeptSession, SessionChanges, WorldSessions } from '../../../shared/domain/sessions/session-store.ts'
import { createMemorySessionStore } from '../../../shared/domain/sessions/session-store-memory.ts'
import { leaseLost } from '../../../shared/domain/worlds/store/chunk-store-rules.ts'
import { AppError } from '../../../shared/kernel/errors.ts'
import { hashSecret } from '../../../shared/kernel/ids.ts'
import { createKeptSession as createKept } from '../../contracts/session-store-contract.ts'
import { createFixedClock } from '../../support/time/fixed-clock.ts'
import { createCapturedLog } from '../../support/time/silent-log.ts'

const away = new AppError('unavailable', 'service-unavailable', 'Redis is away.')

/** The stored part of a session. */
const createSession = (playerId: string): Session => {
  const { place, ...kept } = createKept(playerId)
  const part: unknown = { account: { playerId }, body: { ...place }, ...kept }
  return part as Session
}

describe('a session keeper', () => {
  const clock = createFixedClock()
  let world: WorldSessions
  let store: ReturnType<typeof createMemorySessionStore>
  let written: SessionChanges[]
  let ttls: number[]
  let wholes: number
  let tries: number
  let fault: AppError | undefined
  let isLost: boolean
  let resumeSeconds: number
  let keeper: SessionKeeper
  let nowMs: number
  let log: ReturnType<typeof createCapturedLog>
  beforeEach(() => {
    store = createMemorySessionStore({ clock })
    const inner = store.openWorld('world', 1)
    written = []
    ttls = []
    wholes = 0
    tries = 0
    fault = undefined
    isLost = false
    resumeSeconds = 60
    nowMs = 0
    log = createCapturedLog()
    world = {
      ...inner,
      write: async (changes, ttlMs) => {
        if (fault !== undefined) {
          tries += 1
          throw fault
        }
        written.push(changes)
        ttls.push(ttlMs)
        return inner.write(changes, ttlMs)
      },
      writeAll: async (sessions, ttlMs) => {
        if (fault !== undefined) {
          tries += 1
          throw fault
        }
        wholes += 1
        ttls.push(ttlMs)
        return inner.writeAll(sessions, ttlMs)
      },
    }
    keeper = createSessionKeeper({
      sessions: world,
      lease: { isLost: () => isLost },
      log: log.log,
      resumeSeconds: () => resumeSeconds,
      tickRate: 20,
    })
  })

  /** Ticks for the given time, and lets each write end. */
  const tick = async (ms = 50): Promise<void> => {
    for (const endMs = nowMs + ms; nowMs < endMs; ) {
      nowMs += 50
      keeper.step(nowMs)
      for (let turns = 0; turns < 10; turns += 1) await Promise.resolve()
    }
  }
  const kept = async (): Promise<readonly KeptSession[]> => [...(await store.openWorld('world', 1).take())]

  it('writes a new session in its first tick: all sessions the first time, then only the new one', async () => {
    const [ann, bob] = [createSession('ann'), createSession('bob')]
    keeper.keep(ann)
    await tick()
    expect(await kept()).toEqual([createKept('ann')])
    keeper.keep(bob)
    await tick()
    expect(written.at(-1)).toEqual({ kept: [createKept('bob')], ended: [] })
    expect(wholes).toBe(1)
  })

  it('writes a new secret and an end in the same tick', async () => {
    const ann = createSession('ann')
    keeper.keep(ann)
    await tick()
    ann.resumeHash = hashSecret('another')
    keeper.keep(ann)
    await tick()
    expect(await kept()).toEqual([createKept('ann', { resumeHash: hashSecret('another') })])
    keeper.end(ann)
    await tick()
    expect(await kept()).toEqual([])
  })

  it('writes nothing for a session that ends within its tick, only its replacement if any', async () => {
    const [ann, bob] = [createSession('ann'), createSession('bob')]
    keeper.keep(ann)
    keeper.keep(bob)
    await tick()
    ann.body.x = 77
    keeper.keep(ann)
    keeper.end(ann)
    keeper.end(bob)
    const again = createSession('bob')
    keeper.keep(again)
    await tick()
    expect(written).toEqual([{ kept: [createKept('bob')], ended: ['ann'] }])
    await tick(3000)
    await keeper.flush()
    expect(await kept()).toEqual([createKept('bob')])
  })

  it('writes positions and radii of players who moved within a second, and of no others', async () => {
    const sessions = Array.from({ length: 50 }, (_, at) => createSession(`player-${at}`))
    for (const session of sessions) keeper.keep(session)
    await tick(1000)
    written.length = 0
    const [ann, bob] = sessions
    if (ann === undefined || bob === undefined) throw new Error('there are 50')
    ann.body.x = 77
    bob.wishedRadius = 3
    await tick(1100)
    const told = written.flatMap((changes) => changes.kept)
    expect(told.map(({ playerId }) => playerId).sort()).toEqual(['player-0', 'player-1'])
    expect((await kept()).find(({ playerId }) => playerId === 'player-0')?.place.x).toBe(77)
    expect((await kept()).find(({ playerId }) => playerId === 'player-1')?.wishedRadius).toBe(3)
  })

  it('renews the other sessions once a second, for the resume window plus a start of a node', async () => {
    keeper.keep(createSession('ann'))
    await tick(50)
    written.length = 0
    await tick(5000)
    expect(written.length).toBeGreaterThanOrEqual(4)
    expect(written.length).toBeLessThanOrEqual(6)
    expect(new Set(ttls)).toEqual(new Set([75_000]))
  })

  it('stores no session for longer than a logout is remembered', async () => {
    resumeSeconds = 3600
    keeper.keep(createSession('ann'))
    await tick()
    expect(Math.max(...ttls)).toBeLessThan(600_000)
  })

  it('has one write in flight at a time, and includes later changes in the next', async () => {
    let finish = () => {}
    const { writeAll } = world
    let begun = 0
    Object.assign(world, {
      writeAll: async (...args: Parameters<WorldSessions['writeAll']>) => {
        begun += 1
        await new Promise<void>((resolve) => {
          finish = resolve
        })
        return writeAll(...args)
      },
    })
    keeper.keep(createSession('ann'))
    await tick(200)
    keeper.keep(createSession('bob'))
    await tick(200)
    expect(begun).toBe(1)
    finish()
    await tick(200)
    expect((await kept()).map(({ playerId }) => playerId)).toEqual(['ann', 'bob'])
  })

  it('writes everything again when the store is back, including ended sessions, and logs once', async () => {
    const [ann, bob] = [createSession('ann'), createSession('bob')]
    keeper.keep(ann)
    keeper.keep(bob)
    await tick()
    fault = away
    keeper.end(bob)
    for (let steps = 1; steps <= 60; steps += 1) {
      ann.body.x = steps
      await tick()
    }
    expect(log.lines.filter(({ level }) => level === 40)).toHaveLength(1)
    // Five times a second, however many players move.
    expect(tries).toBeLessThanOrEqual(16)
    fault = undefined
    await tick(1100)
    expect(wholes).toBe(2)
    expect(await kept()).toMatchObject([{ playerId: 'ann', place: { x: 60 } }])
  })

  it('writes everything again when the store lost its data', async () => {
    keeper.keep(createSession('ann'))
    await tick()
    clock.advance(80_000)
    await tick(1100)
    expect(await kept()).toEqual([createKept('ann')])
  })

  it('writes nothing once the lease is lost', async () => {
    isLost = true
    keeper.keep(createSession('ann'))
    await tick(2000)
    await keeper.flush()
    expect(await kept()).toEqual([])
  })

  it('writes nothing while another node has the sessions, and logs that once', async () => {
    const other = store.openWorld('world', 2)
    await other.writeAll([createKept('bob')], 60_000)
    keeper.keep(createSession('ann'))
    await tick(3000)
    await keeper.flush()
    expect(await other.take()).toEqual([createKept('bob')])
    expect(log.lines.filter(({ level }) => level === 40)).toHaveLength(1)
  })

  it('continues once no node has the sessions, as after leases were restored from a backup', async () => {
    fault = leaseLost()
    keeper.keep(createSession('ann'))
    await tick(2000)
    fault = undefined
    await tick(2000)
    expect(await kept()).toEqual([createKept('ann')])
  })

  it('writes the current state of all sessions on flush', async () => {
    const ann = createSession('ann')
    keeper.keep(ann)
    await tick()
    ann.body.z = 3
    await keeper.flush()
    expect((await kept())[0]?.place.z).toBe(3)
    fault = away
    ann.body.z = 4
    await expect(keeper.flush()).resolves.toBeUndefined()
  })
})
