import { beforeEach, describe, expect, it } from '@jest/globals'
import { Type } from '@sinclair/typebox'
import { createModuleValues, type ModuleValues } from '../../../../realtime/modules/data/module-values.ts'
import type { Session } from '../../../../realtime/sessions/session.ts'
import { modulePlayers, playerDataId } from '../../../../shared/domain/modules/data/module-data.ts'
import { systemClock } from '../../../../shared/kernel/clock.ts'
import { systemIds } from '../../../../shared/kernel/ids.ts'
import { createMemoryStore } from '../../../../shared/platform/storage/memory-store.ts'
import { silentLog } from '../../../support/time/silent-log.ts'

const playerId = '00000000-0000-4000-8000-000000000001'
const session = { account: { playerId }, verified: true } as Session
const specOf = (name: string) => ({
  name,
  declare: { player: { schema: Type.Object({ count: Type.Integer({ default: 0 }) }) } },
})

describe('data of a player who joins while modules are loaded', () => {
  let values: ModuleValues
  let nowMs: number

  beforeEach(async () => {
    nowMs = 0
    const store = createMemoryStore()
    for (const name of ['notes', 'purse']) {
      const stored = { version: 1, value: { count: name === 'notes' ? 1 : 2 } }
      await store.put(modulePlayers, playerDataId(name, playerId), stored)
    }
    values = createModuleValues({
      store,
      worldId: 'world',
      lease: { isHeld: () => true, fence: 1 },
      tickRate: 20,
      call: (run) => run(),
      bytesMax: () => 1024,
      wrote: () => undefined,
      report: () => undefined,
      clock: { now: systemClock.now, monotonic: () => nowMs },
      ids: systemIds,
      log: silentLog,
    })
    const apply = await values.prepare([specOf('notes')], [])
    apply([])
  })

  const counts = () => ['notes', 'purse'].map((name) => values.playerDataOf(name, playerId)?.value)

  it('is read again when a module started during the read', async () => {
    const early = await values.load(playerId)
    const apply = await values.prepare([specOf('notes'), specOf('purse')], [])
    expect(values.hasAll(playerId, early)).toBe(false)
    apply([])
    expect(values.hasAll(playerId, early)).toBe(false)
    const late = await values.load(playerId)
    expect(values.hasAll(playerId, late)).toBe(true)
    values.enter(session, late)
    expect(counts()).toEqual([{ count: 1 }, { count: 2 }])
  })

  it('is kept for a module that starts after the player has entered', async () => {
    const apply = await values.prepare([specOf('notes'), specOf('purse')], [])
    const loaded = await values.load(playerId)
    expect(values.hasAll(playerId, loaded)).toBe(true)
    values.enter(session, loaded)
    apply([session])
    expect(counts()).toEqual([{ count: 1 }, { count: 2 }])
  })

  it('is read again when it left the memory during the read', async () => {
    values.enter(session, await values.load(playerId))
    const slow = await values.load(playerId)
    values.leave(session)
    expect(values.hasAll(playerId, slow)).toBe(true)
    for (nowMs = 0; nowMs < 120_000; nowMs += 500) values.step(nowMs)
    expect(values.hasAll(playerId, slow)).toBe(false)
  })
})
