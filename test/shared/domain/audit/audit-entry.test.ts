import { describe, expect, it } from '@jest/globals'
import { createAuditEntry } from '../../../../shared/domain/audit/audit-entry.ts'
import { systemIds } from '../../../../shared/kernel/ids.ts'
import { createFixedClock } from '../../../support/time/fixed-clock.ts'

const actor = { email: 'admin@example.com', via: 'command', requestId: 'r-1' } as const
const change = { action: 'account.update', target: 'a@example.com', before: { groups: [] }, after: { groups: ['builder'] } }

describe('createAuditEntry', () => {
  it('has actor, action, target, time, transport and request', () => {
    const clock = createFixedClock(Date.parse('2026-03-04T05:06:07.089Z'))
    const entry = createAuditEntry({ clock, ids: { uuid: () => 'some-uuid' } }, actor, change)
    expect(entry).toEqual({
      id: '2026-03-04T05:06:07.089Z-0000000000000000-some-uuid',
      at: '2026-03-04T05:06:07.089Z',
      actor: 'admin@example.com',
      via: 'command',
      requestId: 'r-1',
      ...change,
    })
  })

  it('copies only named fields of the actor, so that no secret is stored', () => {
    const withMore = { ...actor, token: 'secret' }
    expect(createAuditEntry({ clock: createFixedClock(), ids: systemIds }, withMore, change)).not.toHaveProperty('token')
  })

  it('marks changes by unverified sign-ins, registrations and reports of guesses as unproven', () => {
    const deps = { clock: createFixedClock(), ids: systemIds }
    const unproven = (verified: boolean, action: string, target: string) =>
      createAuditEntry(deps, { ...actor, verified }, { ...change, action, target }).unproven
    expect(unproven(false, 'account.update', 'a@example.com')).toBe(true)
    expect(unproven(true, 'account.create', actor.email)).toBe(true)
    expect(unproven(true, 'account.guessed', 'a@example.com')).toBe(true)
    expect(unproven(true, 'account.create', 'a@example.com')).toBe(undefined)
  })

  it('keeps null for a missing state before or after', () => {
    const entry = createAuditEntry({ clock: createFixedClock(), ids: systemIds }, actor, {
      ...change,
      before: undefined,
      after: null,
    })
    expect(entry).toMatchObject({ before: null, after: null })
  })

  it('has ids that sort by time, also within a millisecond, and are unique', () => {
    const clock = createFixedClock()
    const ids = Array.from({ length: 50 }, (_, at) => {
      clock.advance([0.25, 1, 1000, 86_400_000][at % 4] ?? 0)
      return createAuditEntry({ clock, ids: systemIds }, actor, change).id
    })
    expect([...ids].sort()).toEqual(ids)
    const atOnce = Array.from({ length: 50 }, () => createAuditEntry({ clock, ids: systemIds }, actor, change).id)
    expect(new Set(atOnce).size).toBe(50)
  })
})
