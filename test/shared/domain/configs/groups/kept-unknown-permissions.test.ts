import { expect, it } from '@jest/globals'
import { warnOfKeptUnknown } from '../../../../../shared/domain/configs/groups/groups-impact-warnings.ts'
import { createPermissionNames } from '../../../../../shared/domain/permissions/permission-names.ts'

const withRules = (...permissions: string[]) => ({ groups: [{ name: 'player', permissions }], defaultGroups: ['player'] })

it('warns of each unknown permission that the file already has, and of no other', () => {
  const names = createPermissionNames()
  const stored = withRules('zone.buld', 'world.build', 'module.shop.sell')
  expect(warnOfKeptUnknown(stored, withRules('zone.buld', 'zone.buld', 'zone.own', 'module.shop.sell'), names)).toEqual([
    expect.stringMatching(/zone\.buld.*zone\.build.* It has no effect\.$/),
  ])
  expect(warnOfKeptUnknown(stored, withRules('world.build'), names)).toEqual([])
  expect(warnOfKeptUnknown(stored, withRules('-command.msg'), names)).toEqual([
    expect.stringMatching(/\/msg.* It has no effect\.$/),
  ])
})
