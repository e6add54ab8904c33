import { describe, expect, it } from '@jest/globals'
import { allRoutes } from '../../functions/all-routes.ts'
import { openZoneDoor } from '../support/zones/zone-door.ts'
import { zoneEditor } from '../support/zones/zone-fixture.ts'
import { doors, type OpenDoor } from './doors.ts'

const config = '/api/admin/configs/groups.yaml'
const plane = { enabled: false, flipped: false, pos: 0 }
const layout = { clipPlanes: { x: plane, y: plane, z: plane }, shortcutBarPages: [['stone', null]] }

type Case = readonly [path: string, body: object]

/** Each route that replaces a part of something, by its declaration, with the body to send twice. */
const cases: readonly Case[] = [
  ['/api/admin/instances/:id', { name: 'Village' }],
  ['/api/admin/instances/:id/bounds', { yMin: 4, yMax: 8 }],
  ['/api/admin/instances/:id/chunks', { chunks: [{ cx: 1, cz: 0 }] }],
  ['/api/admin/instances/:id/enabled', { enabled: false }],
  ['/api/admin/instances/:id/layout', layout],
  ['/api/admin/instances/:id/rules', { build: 'members', greeting: 'Hello.' }],
  ['/api/admin/instances/:id/members', []],
  ['/api/admin/instances/:id/schedule', { closesAt: '2999-01-01T00:00:00.000Z' }],
  ['/api/admin/modules/shop/players/:player', { data: { coins: 1 } }],
  ['/api/admin/modules/shop/records/sales/2026/1', { value: { coins: 1 } }],
  ['/api/admin/reports/:report', { state: 'closed', note: 'Talked to both.' }],
  ['/api/admin/users/:email', { displayName: 'Another', groups: ['player'] }],
]

const countEntries = async ({ deps }: Pick<OpenDoor, 'deps'>) => (await deps.audit.listEntries({ limit: 200 })).entries.length

/** Renames a world. A rename to its own name is a conflict. */
const renaming = '/api/admin/worlds/:world'

describe.each(doors)('a write without changes through %s', (_name, openDoor) => {
  it('is tested here for every route that replaces something', () => {
    const replacing = allRoutes.filter(({ method, path }) => method === 'put' && path !== renaming).map(({ path }) => path)
    const declared = (path: string) =>
      path
        .replace(':report', ':id')
        .replace('shop/players/:player', ':name/players/:playerId')
        .replace('shop/records/sales/2026/1', ':name/records/:record/*id')
    expect([...cases.map(([path]) => declared(path)), '/api/admin/configs/*name'].sort()).toEqual(replacing.toSorted())
  })

  it('is documented for each of these routes in the API description', async () => {
    const { get } = await openDoor()
    const { paths } = (await get('/api/openapi.json')).body
    const documented = Object.entries<{ put?: { description: string } }>(paths).flatMap(([path, { put }]) =>
      put && path !== '/api/admin/worlds/{world}' ? [[path, put.description]] : [],
    )
    expect(documented.length).toBe(cases.length + 1)
    for (const [, description] of documented) expect(description).toContain('leaves no entry in the audit log')
  })

  it.each(cases)('PUT %s answers the same and leaves no audit entry', async (path, body) => {
    const opened = await openZoneDoor(openDoor, { routes: allRoutes, configs: { modules: { modules: { shop: {} } } } })
    const { zone } = await opened.addZone()
    const report = await opened.deps.reports.file(zoneEditor, {
      text: 'Takes my sheep.',
      place: { world: 'default', x: 0, y: 64, z: 0 },
      lastChat: [],
    })
    const address = path
      .replace(':report', report.id)
      .replace(':id', zone.id)
      .replace(':email', 'player%40example.com')
      .replace(':player', 'no-one')
    const first = await opened.put(address, body)
    expect(first.status).toBe(200)
    const before = await countEntries(opened)
    const second = await opened.put(address, body)
    expect([second.status, second.body, second.headers.etag]).toEqual([200, first.body, first.headers.etag])
    expect(await countEntries(opened)).toBe(before)
  })

  it('PUT of a config with the stored text answers its tag and leaves no audit entry', async () => {
    const opened = await openDoor({ as: 'admin' })
    const { text } = await opened.get(config)
    const save = () =>
      opened.request('PUT', config, { rawBody: `# ours\n${text}`, headers: { 'content-type': 'application/yaml' } })
    const first = await save()
    const before = await countEntries(opened)
    const second = await save()
    expect([second.status, second.body, second.headers.etag]).toEqual([200, first.body, first.headers.etag])
    expect(await countEntries(opened)).toBe(before)
  })
})
