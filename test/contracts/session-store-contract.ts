import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import type { KeptSession, SessionStore, WorldSessions } from '../../shared/domain/sessions/session-store.ts'
import { hashSecret } from '../../shared/kernel/ids.ts'
import { waitFor } from '../support/time/wait-for.ts'

export type OpenSessionStore = () => Promise<{ readonly sessions: SessionStore; readonly close: () => Promise<void> }>

const longMs = 60_000

export const createKeptSession = (playerId: string, more: Partial<KeptSession> = {}): KeptSession => ({
  playerId,
  resumeHash: hashSecret(playerId),
  signInId: `sign-in of ${playerId}`,
  signedInAt: 1_790_000_000_000,
  verified: true,
  wishedRadius: 8,
  place: { x: 0.1, y: 64, z: -29_999_999.75, yaw: 359.5, pitch: -90 },
  ...more,
})

/** What every SessionStore promises. */
export const sessionStoreContract = (name: string, open: OpenSessionStore) => {
  describe(`SessionStore on ${name}`, () => {
    let sessions: SessionStore
    let close: () => Promise<void>
    beforeEach(async () => {
      const opened = await open()
      sessions = opened.sessions
      close = opened.close
    })
    afterEach(() => close())

    const [ann, bob, cid] = ['ann', 'bob', 'cid'].map((playerId) => createKeptSession(playerId))
    if (ann === undefined || bob === undefined || cid === undefined) throw new Error('three of them')
    const takenBy = async (fence: number, worldId = 'world') => {
      const found = await sessions.openWorld(worldId, fence).take()
      return [...found].sort((a, b) => a.playerId.localeCompare(b.playerId))
    }
    const holderOf = async (fence: number, kept: readonly KeptSession[] = []): Promise<WorldSessions> => {
      const holder = sessions.openWorld('world', fence)
      await holder.writeAll(kept, longMs)
      return holder
    }
    const leaseLost = expect.objectContaining({ kind: 'conflict', slug: 'lease-lost' })

    it('has nothing for the first holder of a world', async () => {
      expect(await takenBy(1)).toEqual([])
    })

    it('hands every field of a session to the next holder', async () => {
      const odd = createKeptSession('odd', { verified: false, wishedRadius: 16, signedInAt: 0 })
      await holderOf(1, [ann, odd])
      expect(await takenBy(2)).toEqual([ann, odd])
    })

    it('keeps the worlds apart', async () => {
      await holderOf(1, [ann])
      expect(await takenBy(2, 'another-world')).toEqual([])
      expect(await takenBy(2)).toEqual([ann])
    })

    it('knows what was changed, added and ended since', async () => {
      const holder = await holderOf(1, [ann, bob])
      const moved = { ...ann, resumeHash: hashSecret('another'), place: { ...ann.place, x: 7 } }
      expect(await holder.write({ kept: [moved, cid], ended: ['bob', 'nobody'] }, longMs)).toBe(true)
      expect(await takenBy(2)).toEqual([moved, cid])
    })

    it('forgets all others when all are written', async () => {
      const holder = await holderOf(1, [ann, bob])
      await holder.writeAll([cid], longMs)
      expect(await takenBy(2)).toEqual([cid])
    })

    it('asks a holder for everything who has not yet written everything, and from then on for changes only', async () => {
      const holder = sessions.openWorld('world', 1)
      expect(await holder.write({ kept: [ann], ended: [] }, longMs)).toBe(false)
      await holder.writeAll([ann], longMs)
      expect(await holder.write({ kept: [bob], ended: [] }, longMs)).toBe(true)
      expect(await takenBy(2)).toEqual([ann, bob])
    })

    it('lets nobody of before write once it is taken over', async () => {
      const before = await holderOf(1, [ann])
      const after = sessions.openWorld('world', 2)
      await after.take()
      await expect(before.write({ kept: [bob], ended: ['ann'] }, longMs)).rejects.toEqual(leaseLost)
      await expect(before.writeAll([bob], longMs)).rejects.toEqual(leaseLost)
      await expect(before.take()).rejects.toEqual(leaseLost)
      expect(await takenBy(2)).toEqual([ann])
    })

    it('lets nobody of before write into a world that had no sessions when it was taken over', async () => {
      await takenBy(2)
      await expect(sessions.openWorld('world', 1).writeAll([ann], longMs)).rejects.toEqual(leaseLost)
      expect(await takenBy(2)).toEqual([])
    })

    it('forgets them so long after the last word', async () => {
      const holder = await holderOf(1, [ann])
      expect(await holder.write({ kept: [], ended: [] }, 100)).toBe(true)
      await waitFor(async () => (await takenBy(1)).length === 0)
      expect(await holder.write({ kept: [bob], ended: [] }, longMs)).toBe(false)
    })

    it('keeps those of which there is no news for as long as the holder goes on speaking', async () => {
      const holder = await holderOf(1, [ann])
      const started = performance.now()
      await waitFor(async () => {
        expect(await holder.write({ kept: [], ended: [] }, 400)).toBe(true)
        return performance.now() - started > 900
      })
      expect(await takenBy(2)).toEqual([ann])
    })

    it('holds 1,234 sessions, and forgets all but one of them at once', async () => {
      const many = Array.from({ length: 1234 }, (_, at) => createKeptSession(`player-${at}`))
      const holder = await holderOf(1, many)
      expect(await takenBy(1)).toHaveLength(1234)
      const changes = { kept: many.slice(0, 700), ended: many.slice(1).map(({ playerId }) => playerId) }
      expect(await holder.write({ ...changes, kept: changes.kept.slice(0, 1) }, longMs)).toBe(true)
      expect(await takenBy(2)).toEqual(many.slice(0, 1))
    })
  })
}
