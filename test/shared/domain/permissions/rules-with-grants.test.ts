import { describe, expect, it } from '@jest/globals'
import type { AccountGrant, PermissionScope } from '../../../../shared/domain/permissions/account-grant.ts'
import { decidePermission } from '../../../../shared/domain/permissions/decide-permission.ts'
import { createPermissions } from '../../../../shared/domain/permissions/permissions.ts'
import { createFixedClock } from '../../../support/time/fixed-clock.ts'

const startMs = Date.UTC(2026, 10, 23)
const hourMs = 3_600_000
const zone = '00000000-0000-4000-8000-000000000001'
const config = {
  groups: [
    { name: 'player', permissions: ['command.who'] },
    { name: 'builder', permissions: ['world.build', '-command.who'] },
  ],
  defaultGroups: [],
}
const by = { by: 'ann@example.com', at: new Date(startMs).toISOString() }

const createScene = (...grants: Partial<AccountGrant>[]) => {
  const clock = createFixedClock(startMs)
  const permissions = createPermissions(config, clock)
  const account = { groups: ['player'], grants: grants.map((grant, at) => ({ id: String(at), ...by, ...grant })) }
  const may = (permission: string, place?: PermissionScope) =>
    decidePermission(permissions.rulesOf(account, place), permission, { verified: true, privileged: false }).allowed
  return { clock, permissions, account, may }
}
const until = new Date(startMs + hourMs).toISOString()

describe('the rules of an account with grants', () => {
  it('include a grant until the millisecond of its end, and again after the clock is set back', () => {
    const { clock, may } = createScene({ permission: 'world.build', until })
    expect(may('world.build')).toBe(true)
    clock.advance(hourMs - 1)
    expect(may('world.build')).toBe(true)
    clock.advance(1)
    expect(may('world.build')).toBe(false)
    clock.advance(-hourMs)
    expect(may('world.build')).toBe(true)
  })

  it.each([
    [{ zone }, { world: 'default', zone }, true],
    [{ zone, world: 'default' }, { world: 'default', zone }, true],
    [{ zone }, { world: 'default' }, false],
    [{ zone }, {}, false],
    [{ zone }, undefined, false],
    [{ world: 'default' }, { world: 'default', zone }, true],
    [{ world: 'default' }, { world: 'north' }, false],
    [{ world: 'default' }, undefined, false],
    [{}, { world: 'north' }, true],
    [{}, undefined, true],
  ])('include a grant for %j at %j: %s', (where, place, counts) => {
    const { may } = createScene({ permission: 'world.build', ...where })
    expect(may('world.build', place)).toBe(counts)
  })

  it('include a granted group with its denials, only where it applies', () => {
    const { may } = createScene({ group: 'builder', zone })
    expect([may('world.build', { zone }), may('command.who', { zone })]).toEqual([true, false])
    expect([may('world.build'), may('command.who')]).toEqual([false, true])
  })

  it('name the grant of a rule, and follow reloaded groups', () => {
    const { permissions, account } = createScene({ group: 'builder' })
    expect(permissions.rulesOf(account).exact.get('world.build')).toMatchObject({ group: 'builder', grant: { id: '0' } })
    permissions.replace({ groups: [], defaultGroups: [] })
    expect(permissions.rulesOf(account)).toMatchObject({ rules: [], unknownGroups: ['player', 'builder'] })
  })
})
