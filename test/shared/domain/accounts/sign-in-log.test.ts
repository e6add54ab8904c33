import { describe, expect, it } from '@jest/globals'
import { createSignInLog, listSignIns } from '../../../../shared/domain/accounts/sign-in-log.ts'
import { createMemoryStore } from '../../../../shared/platform/storage/memory-store.ts'
import { createFixedClock } from '../../../support/time/fixed-clock.ts'
import { silentLog } from '../../../support/time/silent-log.ts'

const playerId = '00000000-0000-4000-8000-000000000001'

describe('the last sign-ins', () => {
  it('are ten of one account, newest first', async () => {
    const [store, clock] = [createMemoryStore(), createFixedClock()]
    const signIns = createSignInLog({ store, clock, log: silentLog })
    for (let turn = 0; turn < 12; turn += 1) {
      clock.advance(1000)
      await signIns.note(playerId, turn === 11 ? 'email' : 'password')
    }
    const listed = await listSignIns(store, playerId)
    expect(listed).toHaveLength(10)
    expect(listed[0]).toEqual({ at: new Date(clock.now()).toISOString(), by: 'email' })
    expect(listed.map(({ at }) => at)).toEqual(
      listed
        .map(({ at }) => at)
        .sort()
        .reverse(),
    )
    expect(await listSignIns(store, '00000000-0000-4000-8000-000000000002')).toEqual([])
  })

  it('do not prevent a sign-in when they cannot be written', async () => {
    const warned: unknown[] = []
    const store = {
      ...createMemoryStore(),
      put: async () => {
        throw new Error('disk full')
      },
    }
    const log = { warn: (details: unknown) => void warned.push(details) }
    await createSignInLog({ store, clock: createFixedClock(), log }).note(playerId, 'password')
    expect(warned).toHaveLength(1)
  })
})
