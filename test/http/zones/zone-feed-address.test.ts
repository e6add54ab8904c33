import { describe, expect, it } from '@jest/globals'
import { newZone, openZoneDoor, zonesPath } from '../../support/zones/zone-door.ts'
import { doors } from '../doors.ts'

const feedPath = '/api/admin/ws/instances'

describe.each(doors)('GET of the address of a feed, without an upgrade, through %s', (_name, open) => {
  it('answers 426 with the protocol', async () => {
    const { get, post } = await openZoneDoor(open)
    const { body } = await post(zonesPath, newZone)
    const answer = await get(`${feedPath}/${body.id}`)
    expect(answer).toMatchObject({ status: 426, body: { type: '/problems/upgrade-required' } })
    expect(answer.headers.upgrade).toBe('websocket')
  })

  it('answers 404 without such a zone', async () => {
    const { get } = await openZoneDoor(open)
    expect((await get(`${feedPath}/00000000-0000-4000-8000-000000000000`)).status).toBe(404)
  })

  it('is in the API description with its permission and its answers', async () => {
    const { get } = await open()
    const { body } = await get('/api/openapi.json')
    const { get: described } = body.paths[`${feedPath}/{id}`]
    expect(Object.keys(described.responses)).toEqual(expect.arrayContaining(['101', '401', '403', '404', '426']))
    expect(JSON.stringify(described)).toContain('admin.instances.read')
  })
})
