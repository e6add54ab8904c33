import { describe, expect, it } from '@jest/globals'
import { allRoutes } from '../../../../functions/all-routes.ts'
import { canCountAt } from '../../../../shared/domain/permissions/permission-scopes.ts'

describe('canCountAt', () => {
  it('allows a zone for each permission of a route with a zone', () => {
    const ofZones = allRoutes.filter(({ path }) => path.startsWith('/api/admin/instances/:id'))
    for (const { permission } of ofZones) if (permission.startsWith('admin.')) expect(canCountAt(permission, 'zone')).toBe(true)
  })

  it('allows a world for each permission of a route with a world', () => {
    const ofWorlds = allRoutes.filter(
      ({ path, body, isAboutQueriedWorld }) =>
        path.includes(':world') || isAboutQueriedWorld === true || body?.properties?.world !== undefined,
    )
    expect(ofWorlds.length).toBeGreaterThan(3)
    for (const { path, permission } of ofWorlds)
      if (permission.startsWith('admin.') && !path.startsWith('/api/admin/users'))
        expect([permission, canCountAt(permission, 'world')]).toEqual([permission, true])
  })

  it.each(['world.build', 'zone.build', 'zone.own', 'zone.history', 'command.tp', 'admin.history.read', 'module.shop.sell'])(
    'allows a zone for %s',
    (permission) => {
      expect(canCountAt(permission, 'zone')).toBe(true)
    },
  )

  it.each(['admin.configs.write', 'admin.users.write', 'game.join', 'world.fly', 'admin.worlds.write', 'command.disable.others'])(
    'allows no zone for %s',
    (permission) => {
      expect(canCountAt(permission, 'zone')).toBe(false)
    },
  )
})
