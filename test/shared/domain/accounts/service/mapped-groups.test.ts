import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { Account } from '../../../../../shared/domain/accounts/account.ts'
import {
  applyMappedClaim,
  grantedGroups,
  grantMapped,
  keepMapped,
  mapClaim,
} from '../../../../../shared/domain/accounts/service/mapped-groups.ts'
import { makeAccount } from '../../../../support/accounts/stored-accounts.ts'

const mapping = { '/staff': 'staff', '/builders': 'builder', '/also-builders': 'builder' }
const names = ['player', 'builder', 'staff', 'admin', 'jailed']
const groupLists = fc.uniqueArray(fc.constantFrom(...names))

describe('mapClaim', () => {
  it('returns the group of each mapped value once, and ignores other values', () => {
    expect(mapClaim(['/builders', '/staff', '/also-builders', '/guests'], mapping).groups).toEqual(['builder', 'staff'])
    expect(mapClaim([], mapping).groups).toEqual([])
  })

  it('ignores names that every object inherits', () => {
    expect(mapClaim(['constructor', '__proto__', 'toString', 'hasOwnProperty'], mapping).groups).toEqual([])
  })
})

describe('applyMappedClaim', () => {
  const account = makeAccount('ann@example.com', 'player')

  it('adds mapped groups, and removes them when the claim lacks them', () => {
    const mapped = applyMappedClaim(account, mapClaim(['/staff'], mapping))
    expect(mapped).toMatchObject({ groups: ['player', 'staff'], mappedGroups: ['staff'], claimedGroups: ['/staff'] })
    expect(applyMappedClaim(mapped, mapClaim(['/builders'], mapping))).toMatchObject({
      groups: ['player', 'builder'],
      mappedGroups: ['builder'],
    })
    expect(applyMappedClaim(mapped, mapClaim([], mapping))).toEqual(account)
    expect(applyMappedClaim(mapped, undefined)).toEqual(account)
  })

  it('keeps groups that were granted here, mapped or not', () => {
    const staff = makeAccount('ann@example.com', 'player', 'staff')
    const mapped = applyMappedClaim(staff, mapClaim(['/staff', '/builders'], mapping))
    expect(mapped).toMatchObject({ groups: ['player', 'staff', 'builder'], mappedGroups: ['builder'] })
    expect(applyMappedClaim(mapped, mapClaim([], mapping)).groups).toEqual(['player', 'staff'])
  })

  it('keeps exactly the granted groups and those of the last claim after any sequence of changes', () => {
    const step = fc.oneof(
      fc.record({ claim: fc.option(groupLists, { nil: undefined }) }),
      fc.record({ grant: groupLists }),
      fc.record({ take: groupLists }),
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        let current: Account = makeAccount('ann@example.com', 'player')
        let granted = new Set(['player'])
        let mapped: readonly string[] = []
        for (const one of steps) {
          if ('claim' in one) {
            current = applyMappedClaim(current, one.claim && { values: one.claim, groups: one.claim })
            mapped = one.claim ?? []
          } else if ('grant' in one) {
            const next = { ...grantMapped(current, one.grant), groups: [...new Set([...current.groups, ...one.grant])] }
            current = keepMapped(current, next)
            granted = new Set([...granted, ...one.grant])
          } else {
            current = keepMapped(current, { ...current, groups: current.groups.filter((name) => !one.take.includes(name)) })
            granted = new Set([...granted].filter((name) => !one.take.includes(name)))
            mapped = mapped.filter((name) => !one.take.includes(name))
          }
          expect(new Set(current.groups)).toEqual(new Set([...granted, ...mapped]))
          expect(new Set(grantedGroups(current))).toEqual(granted)
        }
      }),
      { numRuns: 500 },
    )
  })
})
