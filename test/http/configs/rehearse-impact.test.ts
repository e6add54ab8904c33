import { describe, expect, it } from '@jest/globals'
import { AppError } from '../../../shared/kernel/errors.ts'
import { doors, type OpenDoor } from '../doors.ts'

const rehearse = ({ request }: OpenDoor, name: string, rawBody: string) =>
  request('PUT', `/api/admin/configs/${name}?dryRun=true`, { rawBody, headers: { 'content-type': 'application/yaml' } })

const withoutBuilding = `
groups:
  - {name: player, permissions: [command.help]}
  - {name: clerk, permissions: [admin.users.*, world.build]}
`

describe.each(doors)('PUT /api/admin/configs/{name}?dryRun=true through %s', (_name, open) => {
  it('answers each changed key, the lost permissions and the number of connected players', async () => {
    const door = await open({ as: 'admin' })
    const node = door.presence.openNode('one')
    for (const { playerId } of Object.values(door.people)) node.enter(playerId, '')
    await node.renew()
    expect(await rehearse(door, 'groups.yaml', withoutBuilding)).toMatchObject({
      status: 200,
      body: {
        name: 'groups.yaml',
        effect: 'reload',
        changes: [{ pointer: '/groups/0/permissions/0', from: 'world.build', to: null, effect: 'reload' }],
        impact: {
          connected: 1,
          warnings: [expect.stringContaining('All players can use /help')],
          groups: {
            groups: [{ group: 'player', gains: [], loses: ['world.build'] }],
            newAccounts: { gains: [], loses: ['world.build'] },
            accounts: { count: 1, connected: 1, listed: [{ email: 'player@example.com', gains: [], loses: ['world.build'] }] },
          },
        },
      },
    })
  })

  it('answers which changes need a restart', async () => {
    const door = await open({ as: 'admin' })
    expect(await rehearse(door, 'server.yaml', 'realtime: {tickRate: 30, maxSessions: 50}')).toMatchObject({
      status: 200,
      body: {
        effect: 'restart',
        changes: [
          { pointer: '/realtime/tickRate', from: 20, to: 30, effect: 'restart' },
          { pointer: '/realtime/maxSessions', from: 2000, to: 50, effect: 'reload' },
        ],
        impact: { connected: 0, settings: [{ touches: 'connected' }, { touches: 'newcomers' }] },
      },
    })
  })

  it('answers without the number of connected players while Redis is unavailable', async () => {
    const door = await open({ as: 'admin' })
    door.presence.listConnected = async () => {
      throw new AppError('unavailable', 'service-unavailable', 'away')
    }
    expect(await rehearse(door, 'groups.yaml', withoutBuilding)).toMatchObject({
      status: 200,
      body: { impact: { connected: null, groups: { accounts: { count: 1, connected: null } } } },
    })
  })

  it.each([
    [['admin.configs.*', 'command.*'], 0],
    [['admin.configs.*', 'command.*', 'admin.users.read'], 1],
  ])('names accounts only to callers who can read them: a writer with %j sees %d of 1', async (permissions, listed) => {
    const groups = {
      groups: [
        { name: 'player', permissions: ['command.help'] },
        { name: 'writer', permissions },
      ],
    }
    const door = await open({ as: 'admin', configs: { groups } })
    await door.accountStore.change('admin@example.com', () => ({
      next: { ...door.people.admin, groups: ['writer'] },
      result: undefined,
    }))
    const text = JSON.stringify({ groups: [{ name: 'player', permissions: [] }, groups.groups[1]] })
    const answer = await rehearse(door, 'groups.yaml', text)
    expect(answer).toMatchObject({ status: 200, body: { impact: { groups: { accounts: { count: 1 } } } } })
    expect(answer.body.impact.groups.accounts.listed).toHaveLength(listed)
    expect(answer.text.includes('player@example.com')).toBe(listed > 0)
  })

  it('writes nothing: no file, no revision and no audit entry', async () => {
    const door = await open({ as: 'admin' })
    const before = await door.configFiles.read('groups.yaml')
    await rehearse(door, 'groups.yaml', withoutBuilding)
    expect(await door.configFiles.read('groups.yaml')).toEqual(before)
    expect(await door.configFiles.revisions('groups.yaml')).toEqual([])
    expect((await door.deps.audit.listEntries({ limit: 10 })).entries).toEqual([])
  })
})
