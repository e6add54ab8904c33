import { describe, expect, it } from '@jest/globals'
import { doors, type OpenDoor } from '../doors.ts'

const rehearse = ({ request }: OpenDoor, name: string, rawBody: string, headers: object = {}) =>
  request('PUT', `/api/admin/configs/${name}?dryRun=true`, {
    rawBody,
    headers: { 'content-type': 'application/yaml', ...headers },
  })

describe.each(doors)('PUT /api/admin/configs/{name}?dryRun=true through %s', (_name, open) => {
  it('answers each change with its effect, and the strongest effect, and writes nothing', async () => {
    const door = await open({ as: 'admin' })
    const before = await door.configFiles.read('server.yaml')
    const answer = await rehearse(door, 'server.yaml', 'realtime: {tickRate: 30, viewRadius: 4}\n')
    expect(answer).toMatchObject({
      status: 200,
      body: {
        name: 'server.yaml',
        effect: 'restart',
        changes: [
          { pointer: '/realtime/tickRate', from: 20, to: 30, effect: 'restart' },
          { pointer: '/realtime/viewRadius', from: 8, to: 4, effect: 'reload' },
        ],
        impact: expect.any(Object),
      },
    })
    expect(Object.keys(answer.body).sort()).toEqual(['changes', 'effect', 'impact', 'name'])
    expect(await door.configFiles.read('server.yaml')).toEqual(before)
    expect(await door.configFiles.revisions('server.yaml')).toEqual([])
    expect((await door.deps.audit.listEntries({ limit: 10 })).entries).toEqual([])
  })

  it('hides current values from a caller without read access', async () => {
    const configs = { groups: { groups: [{ name: 'player', permissions: ['admin.configs.write'] }] } }
    const door = await open({ as: 'player', configs })
    const { changes } = (await rehearse(door, 'server.yaml', 'realtime: {viewRadius: 4}\n')).body
    expect(changes).toEqual([{ pointer: '/realtime/viewRadius', from: 'hidden', to: 4, effect: 'reload' }])
  })

  it('of the stored text answers no change', async () => {
    const door = await open({ as: 'admin' })
    const { text } = await door.configFiles.read('groups.yaml')
    expect(await rehearse(door, 'groups.yaml', text)).toMatchObject({ status: 200, body: { effect: 'reload', changes: [] } })
  })

  it('compares with the stored text, and reports that an earlier change needs a restart', async () => {
    const door = await open({ as: 'admin' })
    await door.configFiles.write('server.yaml', 'realtime: {tickRate: 30}\n', { savedBy: 'file' })
    const answer = await rehearse(door, 'server.yaml', 'realtime: {tickRate: 30, viewRadius: 4}\n')
    expect(answer.body).toMatchObject({ effect: 'restart', changes: [{ pointer: '/realtime/viewRadius', from: 8, to: 4 }] })
  })

  it('reports a changed description as effective at once', async () => {
    const door = await open({
      as: 'admin',
      configs: { groups: { groups: [{ name: 'player', permissions: [], description: 'Some' }] } },
    })
    const answer = await rehearse(door, 'groups.yaml', 'groups: [{name: player, permissions: [], description: All}]\n')
    expect(answer.body).toMatchObject({
      effect: 'reload',
      changes: [{ pointer: '/groups/0/description', from: 'Some', to: 'All', effect: 'now' }],
    })
  })

  it('answers which permissions would be gained and lost', async () => {
    const door = await open({ as: 'admin' })
    const text = 'groups: [{name: player, permissions: [command.who]}]\n'
    const { body } = await rehearse(door, 'groups.yaml', text)
    expect(JSON.stringify(body.impact)).toContain('command.who')
    expect(JSON.stringify(body.impact)).toContain('world.build')
  })

  it('needs the tag as a save does', async () => {
    const door = await open({ as: 'admin' })
    const { headers } = await door.get('/api/admin/configs/groups.yaml')
    expect((await rehearse(door, 'groups.yaml', 'groups: []\n', { 'if-match': headers.etag ?? '' })).status).toBe(200)
    expect((await rehearse(door, 'groups.yaml', 'groups: []\n', { 'if-match': '"stale"' })).status).toBe(412)
  })

  it('with dryRun=false is a save', async () => {
    const door = await open({ as: 'admin' })
    const sent = { rawBody: 'groups: []\n', headers: { 'content-type': 'text/yaml' } }
    const answer = await door.request('PUT', '/api/admin/configs/groups.yaml?dryRun=false', sent)
    expect(answer.body).toEqual({ name: 'groups.yaml', etag: expect.any(String), effect: 'reload' })
    expect((await door.configFiles.read('groups.yaml')).text).toBe(sent.rawBody)
  })
})
