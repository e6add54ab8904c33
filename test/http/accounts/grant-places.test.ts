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

describe.each(doors)('grants limited to a place, through %s', (_name, open) => {
  /** Puts the admin into these groups only, with one grant. */
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

  it('allow a route only for the zone in its address', async () => {
    const { get, addZone, hold } = await openAs(['player'])
    const { zone, path } = await addZone()
    const other = await addZone({ name: 'Other', chunks: [{ cx: 1, cz: 1 }] })
    await hold({ permission: 'admin.instances.read', zone: zone.id })
    expect((await get(path)).status).toBe(200)
    expect(slugOf(await get(other.path))).toEqual([403, 'missing-permission'])
    expect(slugOf(await get(zonesPath))).toEqual([403, 'missing-permission'])
  })

  it('allow a route only for the world in its body', async () => {
    const { post } = await openAs(['player'], { permission: 'admin.instances.write', world: 'north' })
    expect((await post(zonesPath, { ...newZone, world: 'north' })).status).toBe(201)
    expect(slugOf(await post(zonesPath, { ...newZone, world: 'default' }))).toEqual([403, 'missing-permission'])
    expect(slugOf(await post(zonesPath, newZone))).toEqual([403, 'missing-permission'])
  })

  it('allow rules, members, history and rollback of their zone only', async () => {
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

  it('allow the list of columns of the requested world', async () => {
    const { get, hold } = await openAs(['player'])
    await hold({ permission: 'admin.worlds.read', world: 'north' })
    const discovered = '/api/admin/chunks/discovered'
    expect((await get(`${discovered}?world=north`)).status).toBe(200)
    expect([(await get(`${discovered}?world=default`)).status, (await get(discovered)).status]).toEqual([403, 403])
    expect((await get(`${discovered}?world=default&world=north`)).status).not.toBe(200)
  })

  it('answer 503 instead of a permission problem when zones cannot be read', async () => {
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

  it('are refused for a zone of a world other than the given one', async () => {
    const { post, addZone } = await openZoneDoor(open, { routes })
    const { zone } = await addZone({ world: 'north' })
    const grant = { permission: 'zone.build', world: 'default', zone: zone.id }
    const answer = await post(grantsOf('player@example.com'), grant)
    expect(slugOf(answer)).toEqual([422, 'rule-broken'])
    expect(answer.body).toMatchObject({ errors: [{ pointer: '/zone', message: 'is a zone of the world north' }] })
    expect((await post(grantsOf('player@example.com'), { ...grant, world: 'north' })).status).toBe(201)
  })

  it('are refused to callers without the granted permission', async () => {
    const { post } = await openAs(['clerk', 'player'])
    expect(slugOf(await post(grantsOf('player@example.com'), { permission: 'admin.worlds.write' }))).toEqual([
      403,
      'beyond-own-permissions',
    ])
    expect((await post(grantsOf('player@example.com'), { permission: 'admin.users.read' })).status).toBe(201)
  })

  it('never remove the administration rights of the last administrator', async () => {
    const { post, deps, people } = await openZoneDoor(open, { routes })
    deps.permissions.replace({ groups: [{ name: 'resting', permissions: ['-admin.*'] }], defaultGroups: [] })
    const answer = await post(grantsOf(people.admin.email), { group: 'resting' })
    expect(slugOf(answer)).toEqual([409, 'last-administrator'])
  })
})
