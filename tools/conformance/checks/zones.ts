import { randomUUID } from 'node:crypto'
import { Type } from '@sinclair/typebox'
import { check, feature, type Kit } from '../check.ts'
import type { Send } from '../clean-up.ts'
import { ZoneView } from '../fixtures/zone.ts'
import {
  expectBody,
  expectEqual,
  expectEtag,
  expectHeader,
  expectNoBody,
  expectProblem,
  expectStatus,
  expectThat,
  show,
} from '../report/expectations.ts'

const base = '/api/admin/instances'
const off = { enabled: false, flipped: false, pos: 0 }
const on = { enabled: true, flipped: true, pos: 12.5 }

type Asker = (what: string, send?: Send) => ReturnType<Kit['ask']>
const administratorOf =
  (kit: Kit): Asker =>
  (what, send) =>
    kit.ask('administrator', what, send)

const change = async (kit: Kit, part: string, json: unknown) => {
  const { id } = await kit.fixtures.zone()
  const answer = await administratorOf(kit)(`PUT ${base}/${id}${part}`, { json })
  expectStatus(answer, 200)
  expectEtag(answer)
  return answer
}

export const zones = feature('Zones', [
  check('administrator', 'are listed oldest first, all or those of one world', async ({ ask }) => {
    const all = expectBody(await ask('administrator', `GET ${base}`), Type.Array(ZoneView))
    const times = all.map(({ createdAt }) => createdAt)
    expectEqual('the times', times, times.toSorted())
    for (const world of new Set(all.map((zone) => zone.world))) {
      const some = expectBody(await ask('administrator', `GET ${base}?world=${world}`), Type.Array(ZoneView))
      expectEqual(
        `zones of ${world}`,
        some.map(({ id }) => id),
        all.filter((zone) => zone.world === world).map(({ id }) => id),
      )
    }
  }),
  check('administrator', 'of an unknown world return 404', async ({ ask, name }) => {
    expectProblem(await ask('administrator', `GET ${base}?world=${name}`), 404, 'not-found')
  }),
  check('write', 'are created enabled, with their address, and read back unchanged', async (kit) => {
    const ask = administratorOf(kit)
    const [{ world, cx, cz }] = [await kit.fixtures.freeColumn(), await kit.fixtures.zone()]
    const json = { name: ` ${kit.name} made `, world, yMin: 252, yMax: 253, chunks: [{ cx, cz }] }
    const made = await ask(`POST ${base}`, { json })
    expectStatus(made, 201)
    const zone = expectBody(made, ZoneView)
    try {
      const { id, name, yMin, yMax, chunks, enabled } = zone
      const expected = { name: `${kit.name} made`, world, yMin: 252, yMax: 253, chunks: [{ cx, cz }], enabled: true }
      expectEqual('the zone', { name, world: zone.world, yMin, yMax, chunks, enabled }, expected)
      expectHeader(made, 'Location', new RegExp(`${base}/${id}$`))
      const read = await ask(`GET ${base}/${id}`)
      expectEqual('the created zone', expectBody(read, ZoneView), zone)
      expectEqual('its ETag', expectEtag(read), expectEtag(made))
    } finally {
      await ask(`DELETE ${base}/${zone.id}`)
    }
    expectProblem(await ask(`GET ${base}/${zone.id}`), 404, 'not-found')
  }),
  check('write', 'are deleted once', async (kit) => {
    const ask = administratorOf(kit)
    const [{ world, cx, cz }] = [await kit.fixtures.freeColumn(), await kit.fixtures.zone()]
    const json = { name: `${kit.name} gone`, world, yMin: 252, yMax: 253, chunks: [{ cx, cz }] }
    const zone = expectBody(await ask(`POST ${base}`, { json }), ZoneView)
    const removed = await ask(`DELETE ${base}/${zone.id}`)
    expectStatus(removed, 204)
    expectNoBody(removed)
    expectProblem(await ask(`GET ${base}/${zone.id}`), 404, 'not-found')
    expectProblem(await ask(`DELETE ${base}/${zone.id}`), 404, 'not-found')
  }),
  check('write', 'accept another name, and refuse an empty, long or unprintable one', async (kit) => {
    const renamed = await change(kit, '', { name: `${kit.name} renamed` })
    expectEqual('name', expectBody(renamed, ZoneView).name, `${kit.name} renamed`)
    const { id } = await kit.fixtures.zone()
    for (const name of ['', ' \t ', 'x'.repeat(65), 'a\u0007b'])
      expectProblem(await administratorOf(kit)(`PUT ${base}/${id}`, { json: { name } }), 400, 'bad-request')
  }),
  check('write', 'accept another owner, and refuse an unknown or malformed one', async (kit) => {
    const { id } = await kit.fixtures.zone()
    const read = expectBody(await administratorOf(kit)(`GET ${base}/${id}`), ZoneView)
    const changed = await change(kit, '', { name: read.name, owner: read.owner })
    expectEqual('owner', expectBody(changed, ZoneView).owner, read.owner)
    const put = (json: object) => administratorOf(kit)(`PUT ${base}/${id}`, { json })
    expectProblem(await put({ owner: 'nobody' }), 400, 'bad-request')
    expectProblem(await put({ owner: randomUUID() }), 422, 'rule-broken')
    expectProblem(await put({}), 400, 'bad-request')
  }),
  check('write', 'accept accounts as members, by playerId', async (kit) => {
    const { id } = await kit.fixtures.zone()
    const { owner } = expectBody(await administratorOf(kit)(`GET ${base}/${id}`), ZoneView)
    const put = (json: unknown) => administratorOf(kit)(`PUT ${base}/${id}/members`, { json })
    expectStatus(await put([owner]), 200)
    expectProblem(await put(['nobody@example.com']), 400, 'bad-request')
    expectProblem(await put([owner, randomUUID()]), 422, 'rule-broken')
    expectStatus(await put([]), 200)
  }),
  check('write', 'accept weekly hours in a time zone', async (kit) => {
    const { id } = await kit.fixtures.zone()
    const put = (json: unknown) => administratorOf(kit)(`PUT ${base}/${id}/schedule`, { json })
    const schedule = { hours: [{ days: ['fri', 'sat'], from: '18:00', to: '02:00' }], timeZone: 'Europe/Berlin' }
    const { hours, timeZone } = expectBody(await put(schedule), Type.Object({ hours: Type.Unknown(), timeZone: Type.Unknown() }))
    expectEqual('the schedule', { hours, timeZone }, schedule)
    expectProblem(await put({ timeZone: 'Europe/Nowhere' }), 422, 'rule-broken')
    expectProblem(await put({ hours: [{ days: ['someday'], from: '18:00', to: '02:00' }] }), 400, 'bad-request')
    expectStatus(await put({}), 200)
  }),
  check('write', 'accept other heights, columns and an editor’s layout', async (kit) => {
    const { world, cx, cz } = await kit.fixtures.freeColumn()
    const moved = expectBody(await change(kit, '/bounds', { yMin: 248, yMax: 255 }), ZoneView)
    expectEqual('heights', [moved.yMin, moved.yMax], [248, 255])
    expectEqual('columns', expectBody(await change(kit, '/chunks', { chunks: [{ cx, cz }] }), ZoneView).chunks, [{ cx, cz }])
    const layout = { clipPlanes: { x: on, y: off, z: off }, shortcutBarPages: [['stone', null]] }
    const laidOut = await change(kit, '/layout', layout)
    const { clipPlanes, shortcutBarPages } = expectBody(
      laidOut,
      Type.Object({ clipPlanes: Type.Unknown(), shortcutBarPages: Type.Unknown() }),
    )
    expectEqual('the layout', { clipPlanes, shortcutBarPages }, layout)
    expectEqual('world', expectBody(laidOut, ZoneView).world, world)
    await change(kit, '/bounds', { yMin: 254, yMax: 255 })
  }),
  check('write', 'are changed only by a caller with the current tag', async (kit) => {
    const ask = administratorOf(kit)
    const { id } = await kit.fixtures.zone()
    const before = expectEtag(await ask(`GET ${base}/${id}`))
    const rename = (tag: string) => ask(`PUT ${base}/${id}`, { json: { name: `${kit.name} ours` }, headers: { 'If-Match': tag } })
    expectStatus(await rename(before), 200)
    await change(kit, '/bounds', { yMin: 253, yMax: 255 })
    expectProblem(await rename(before), 412, 'stale')
    expectProblem(await ask(`DELETE ${base}/${id}`, { headers: { 'If-Match': before } }), 412, 'stale')
    await change(kit, '/bounds', { yMin: 254, yMax: 255 })
  }),
  check('write', 'have a feed for WebSocket clients only', async (kit) => {
    const { id } = await kit.fixtures.zone()
    const answer = await administratorOf(kit)(`GET /api/admin/ws/instances/${id}`)
    expectProblem(answer, 426, 'upgrade-required')
    expectHeader(answer, 'Upgrade', /websocket/i)
  }),
  check('write', 'are all in the audit log', async (kit) => {
    const { id } = await kit.fixtures.zone()
    const answer = await administratorOf(kit)(`GET /api/admin/audit?target=${id}&limit=200`)
    const { entries } = expectBody(answer, Type.Object({ entries: Type.Array(Type.Object({ action: Type.String() })) }))
    expectEqual('the first action', entries.at(-1)?.action, 'zone.create')
    expectThat(entries.length > 1, 'every change', () => show(entries))
  }),
])
