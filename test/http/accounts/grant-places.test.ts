import { describe, expect, it } from '@jest/globals'
import { accountRoutes } from '../../../functions/accounts/routes.ts'
import { worldRoutes } from '../../../functions/worlds/routes.ts'
import { zoneRoutes } from '../../../functions/zones/routes.ts'
import type { AccountGrant } from '../../../shared/domain/permissions/account-grant.ts'
import { AppError } from '../../../shared/kernel/errors.ts'
import { newZone, openZoneDoor, zonesPath } from '../../support/zones/zone-door.ts'
import { doors } from '../doors.ts'

const routes = [...accountRoutes, ...zoneRoutes, ...worldRoutes]
const grantsOf = (email: string) => `/api/admin/users/${email}/grants`
const slugOf = ({ status, body }: { status: number; body: { type: string } }) => [status, body.type.replace('/problems/', '')]

describe.each(doors)('grants and what they may reach through %s', (_name, open) => {
  /** The admin is in these groups alone, with one grant. */
  const openAs = async (groups: string[], grant?: Pick<AccountGrant, 'permission' | 'world' | 'zone'>) => {
    const door = await openZoneDoor(open, { routes })
    const hold = (more: Pick<AccountGrant, 'permission' | 'world' | 'zone'> | undefined) =>
      door.accountStore.change(door.people.admin.email, (current) => ({
        result: undefined,
        next: current && {
          ...current,
          groups,
          ...(more && { grants: [{ id: 'one', by: 'operator', at: current.createdAt, ...more }] }),
        },
      }))
    await hold(grant)
    return { ...door, hold }
  }

  it('open a route at the zone that its address names, and at no other', async () => {
    const { get, addZone, hold } = await openAs(['player'])
    const { zone, path } = await addZone()
    const other = await addZone({ name: 'Other', chunks: [{ cx: 1, cz: 1 }] })
    await hold({ permission: 'admin.instances.read', zone: zone.id })
    expect((await get(path)).status).toBe(200)
    expect(slugOf(await get(other.path))).toEqual([403, 'missing-permission'])
    expect(slugOf(await get(zonesPath))).toEqual([403, 'missing-permission'])
  })

  it('open a route at the world that its body names, and at no other', async () => {
    const { post } = await openAs(['player'], { permission: 'admin.instances.write', world: 'north' })
    expect((await post(zonesPath, { ...newZone, world: 'north' })).status).toBe(201)
    expect(slugOf(await post(zonesPath, { ...newZone, world: 'default' }))).toEqual([403, 'missing-permission'])
    expect(slugOf(await post(zonesPath, newZone))).toEqual([403, 'missing-permission'])
  })

  it('open what needs no more than a sign-in otherwise: rules and members of that zone, history and rollback of that place', async () => {
    const { get, put, post, addZone, hold } = await openAs(['player'])
    const { zone, path } = await addZone()
    const other = await addZone({ name: 'Other', chunks: [{ cx: 1, cz: 1 }] })
    const history = '/api/admin/worlds/default/history'
    const rollback = async (zoneId: string) =>
      (await post('/api/admin/worlds/default/rollback', { zone: zoneId, since: '2026-01-01T00:00:00Z', dryRun: true })).status
    expect([(await put(`${path}/rules`, {})).status, (await get(`${history}?zone=${zone.id}`)).status]).toEqual([403, 403])
    await hold({ permission: 'admin.instances.write', zone: zone.id })
    expect([(await put(`${path}/rules`, {})).status, (await put(`${path}/members`, [])).status]).toEqual([200, 200])
    expect(slugOf(await put(`${other.path}/rules`, {}))).toEqual([403, 'missing-permission'])
    await hold({ permission: 'admin.history.*', zone: zone.id })
    expect([(await get(`${history}?zone=${zone.id}`)).status, await rollback(zone.id)]).toEqual([200, 200])
    expect([(await get(`${history}?zone=${other.zone.id}`)).status, await rollback(other.zone.id)]).toEqual([403, 403])
    expect((await get(history)).status).toBe(403)
    await hold({ permission: 'admin.history.*', world: 'default' })
    expect([(await get(history)).status, await rollback(other.zone.id)]).toEqual([200, 200])
    expect((await get('/api/admin/worlds/north/history')).status).toBe(403)
  })

  it('open the list of columns of the world that is asked for', async () => {
    const { get, hold } = await openAs(['player'])
    await hold({ permission: 'admin.worlds.read', world: 'north' })
    const discovered = '/api/admin/chunks/discovered'
    expect((await get(`${discovered}?world=north`)).status).toBe(200)
    expect([(await get(`${discovered}?world=default`)).status, (await get(discovered)).status]).toEqual([403, 403])
    expect((await get(`${discovered}?world=default&world=north`)).status).not.toBe(200)
  })

  it('say that zones are out of reach, and nothing of permissions, where nobody can tell', async () => {
    const { put, addZone, hold, deps } = await openAs(['player'])
    const { zone, path } = await addZone()
    await hold({ permission: 'zone.own', zone: zone.id })
    const { getZone } = deps.zones
    Object.assign(deps.zones, {
      getZone: async () => {
        throw new AppError('unavailable', 'service-unavailable', 'The record store does not answer.')
      },
    })
    expect(slugOf(await put(`${path}/rules`, {}))).toEqual([503, 'service-unavailable'])
    Object.assign(deps.zones, { getZone })
    expect(slugOf(await put(`${path}/rules`, {}))).toEqual([403, 'missing-permission'])
  })

  it('are refused for a zone of another world than is named', async () => {
    const { post, addZone } = await openZoneDoor(open, { routes })
    const { zone } = await addZone({ world: 'north' })
    const asked = { permission: 'zone.build', world: 'default', zone: zone.id }
    const answer = await post(grantsOf('player@example.com'), asked)
    expect(slugOf(answer)).toEqual([422, 'rule-broken'])
    expect(answer.body).toMatchObject({ errors: [{ pointer: '/zone', message: 'is a zone of the world north' }] })
    expect((await post(grantsOf('player@example.com'), { ...asked, world: 'north' })).status).toBe(201)
  })

  it('are refused to who lacks what they give', async () => {
    const { post } = await openAs(['clerk', 'player'])
    expect(slugOf(await post(grantsOf('player@example.com'), { permission: 'admin.worlds.write' }))).toEqual([
      403,
      'beyond-own-permissions',
    ])
    expect((await post(grantsOf('player@example.com'), { permission: 'admin.users.read' })).status).toBe(201)
  })

  it('never take administration from the last who has it', async () => {
    const { post, deps, people } = await openZoneDoor(open, { routes })
    deps.permissions.replace({ groups: [{ name: 'resting', permissions: ['-admin.*'] }], defaultGroups: [] })
    const answer = await post(grantsOf(people.admin.email), { group: 'resting' })
    expect(slugOf(answer)).toEqual([409, 'last-administrator'])
  })
})
