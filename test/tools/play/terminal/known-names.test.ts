import { describe, expect, it } from '@jest/globals'
import { createCall } from '../../../../sdk/admin/call.ts'
import { createKnownNames } from '../../../../tools/play/terminal/known-names.ts'
import { complete } from '../../../../tools/play/terminal/terminal.ts'

const who = { players: [{ displayName: 'Ann', email: 'ann@example.com' }, { displayName: 'Bo' }], count: 2 }

/** A session beside a server that answers these paths, and refuses all others. */
const open = (answers: Readonly<Record<string, unknown>>, commands: readonly string[] = ['who']) => {
  const asked: string[] = []
  let nowMs = 0
  const names = createKnownNames({
    command: async (text) => {
      asked.push(text)
      return text === '/zones' ? { count: 1, zones: [{ id: 'z1', name: 'Town' }] } : who
    },
    listsCommand: (name) => commands.includes(name),
    call: createCall({
      url: 'http://server',
      token: () => 'secret',
      fetch: async (input, init) => {
        const path = input.slice('http://server'.length)
        asked.push(`${path} ${new Headers(init?.headers).get('authorization')}`)
        const problem = { type: '/problems/missing-permission', title: 'No.' }
        return path in answers ? Response.json(answers[path]) : Response.json(problem, { status: 403 })
      },
    }),
    now: () => nowMs,
  })
  return { names, asked, wait: (ms: number) => (nowMs += ms) }
}

const groups = { '/api/admin/groups': { groups: [{ name: 'admin' }, { name: 'builder' }] } }

describe('names to complete with', () => {
  it('are of who is on, asked for once in five seconds', async () => {
    const { names, asked, wait } = open({})
    expect([await names.players(), await names.players()]).toEqual([
      ['Ann', 'Bo'],
      ['Ann', 'Bo'],
    ])
    expect(asked).toEqual(['/who'])
    wait(5001)
    await names.players()
    expect(asked).toEqual(['/who', '/who'])
  })

  it('are none of who is on where the server lets the session not ask', async () => {
    const { names, asked } = open({}, [])
    expect([await names.players(), asked]).toEqual([[], []])
  })

  it('are groups and emails that the server tells the holder of the token', async () => {
    const { names, asked } = open({
      ...groups,
      '/api/admin/users?limit=50&q=zo%2B': { users: [{ email: 'zo+1@example.com' }] },
    })
    expect(await names.groups()).toEqual(['admin', 'builder'])
    expect(await names.emails('zo+')).toEqual(['ann@example.com', 'zo+1@example.com'])
    expect(asked).toContain('/api/admin/groups Bearer secret')
  })

  it('are zones of this world, and configs that the server tells the holder of the token', async () => {
    const { names, asked } = open({ '/api/admin/configs': ['groups.yaml', 'server.yaml'] }, ['zones'])
    expect([await names.zones(), await names.configs()]).toEqual([['Town'], ['rbac', 'groups.yaml', 'server.yaml']])
    expect(asked).toEqual(['/zones', '/api/admin/configs Bearer secret'])
    const refused = open({}, [])
    expect([await refused.names.zones(), await refused.names.configs()]).toEqual([[], []])
  })

  it('are none, and for a minute not asked for again, where the server refuses', async () => {
    const { names, asked, wait } = open({}, [])
    expect([await names.groups(), await names.emails('a'), await names.emails('b')]).toEqual([[], [], []])
    expect(asked).toHaveLength(2)
    wait(60_001)
    await names.emails('c')
    expect(asked).toHaveLength(3)
  })
})

describe('completion beside a server', () => {
  const commands = [
    { name: 'rbac:setgroup', usage: '/rbac:setgroup <email> <groups>', description: '', permission: '', privileged: true },
    { name: 'grant', usage: '/grant <player> <group-or-permission>', description: '', permission: '', privileged: true },
    { name: 'unban', usage: '/unban <player-or-address>', description: '', permission: '', privileged: true },
    { name: 'tp', usage: '/tp <player>', description: '', permission: '', privileged: false },
  ]
  const completeWith = (names: ReturnType<typeof open>['names'], line: string) =>
    complete({ commands: () => commands, players: () => ['Ann', 'Cy'], names, blocks: () => ['stone'] }, line)

  it('has who is near first, then who is on', async () => {
    expect((await completeWith(open({}).names, '/tp '))[0]).toEqual(['Ann', 'Cy', 'Bo'])
  })

  it('has groups where a grant wants one, and players where a ban ends', async () => {
    expect((await completeWith(open(groups).names, '/grant Ann b'))[0]).toEqual(['builder'])
    expect((await completeWith(open({}).names, '/unban B'))[0]).toEqual(['Bo'])
  })

  it('asks for nothing but what stands there', async () => {
    const { names, asked } = open(groups)
    expect((await completeWith(names, '/rbac:setgroup Ann b'))[0]).toEqual(['builder'])
    expect((await completeWith(names, '/wal'))[0]).toEqual(['/walk '])
    expect(asked).toEqual(['/api/admin/groups Bearer secret'])
  })
})
