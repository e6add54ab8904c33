import { describe, expect, it } from '@jest/globals'
import { Type } from '@sinclair/typebox'
import { accountRoutes } from '../../../functions/accounts/routes.ts'
import { tellPlayers } from '../../../shared/domain/players/online-players.ts'
import { playerStates } from '../../../shared/domain/players/player-state.ts'
import { createMemoryWhereabouts } from '../../../shared/domain/presence/whereabouts.ts'
import { putWrite } from '../../../shared/platform/storage/store.ts'
import { startGameWithModules } from '../../support/modules/game-with-modules.ts'
import { openZoneDoor } from '../../support/zones/zone-door.ts'
import { zoneEditor } from '../../support/zones/zone-fixture.ts'
import { doors } from '../doors.ts'

type EditEvent = {
  readonly player: { readonly data: { count: number } }
  readonly changes: readonly { readonly y: number }[]
}

const path = '/api/admin/explain?email=player@example.com'
const until = '2999-01-01T00:00:00.000Z'
const routes = accountRoutes

describe.each(doors)('GET /api/admin/explain through %s', (_name, open) => {
  it('answers every check in order, with the rule that decides', async () => {
    const { get } = await open({ as: 'admin', routes })
    expect(await get(`${path}&permission=world.build`)).toMatchObject({
      status: 200,
      body: {
        allowed: true,
        permission: 'world.build',
        checks: [
          { check: 'sanction', ok: true },
          { check: 'permission', ok: true, detail: '"world.build" is granted by the rule "world.build" of group "player".' },
          { check: 'verified', ok: true },
          { check: 'zone', ok: true, detail: expect.stringContaining('The position is unknown') },
        ],
        rule: { rule: 'world.build', group: 'player', through: [], source: 'groups.yaml' },
      },
    })
    const help = await get(`${path}&command=/HELP`)
    expect(help.body).toMatchObject({
      allowed: true,
      permission: 'none',
      checks: [{}, { check: 'switched-off', ok: true }, {}, {}],
    })
    expect(help.body.rule).toBeUndefined()
  })

  it('denies only privileged permissions to an unverified sign-in', async () => {
    const { get } = await open({ as: 'admin', routes })
    const question = '/api/admin/explain?email=admin@example.com&command=kick'
    expect((await get(question)).body).toMatchObject({ allowed: true, rule: { source: 'built-in', group: 'admin', rule: '*' } })
    const { body } = await get(`${question}&verified=false`)
    expect(body.allowed).toBe(false)
    expect(body.checks.filter(({ ok }: { ok: boolean }) => !ok)).toMatchObject([{ check: 'verified' }])
  })

  it('applies only the default groups to an unverified sign-in of an account with a password', async () => {
    const { get, accountStore, people } = await open({ as: 'admin', routes })
    await accountStore.change(people.player.email, () => ({ next: { ...people.player, groups: ['clerk'] }, result: undefined }))
    const ask = async (permission: string) =>
      (await get(`${path}&permission=${permission}&verified=false`)).body.checks.map(
        ({ check, ok }: { check: string; ok: boolean }) => [check, ok],
      )
    expect(await ask('admin.users.read')).toEqual([
      ['sanction', true],
      ['permission', true],
      ['verified', false],
    ])
    expect(await ask('zone.build')).toEqual(expect.arrayContaining([['permission', false]]))
    expect((await get(`${path}&permission=world.build&verified=false`)).body).toMatchObject({
      allowed: true,
      rule: { rule: 'world.build', group: 'player' },
    })
  })

  it('names a ban, and a disabled command', async () => {
    const { get, deps, people, store } = await open({ as: 'admin', routes })
    const { email, playerId } = people.player
    await store.commit([putWrite(playerStates, playerId, { disabledBySelf: [], disabledByOthers: ['report'] })])
    expect((await get(`${path}&command=report`)).body).toMatchObject({
      allowed: false,
      checks: [{}, { check: 'switched-off', ok: false, detail: '/report is switched off for player.' }, {}, {}],
    })
    await deps.sanctions.impose(zoneEditor, { kind: 'ban', email, reason: 'griefing', until })
    expect((await get(`${path}&permission=world.build`)).body).toMatchObject({
      allowed: false,
      checks: [{ check: 'sanction', ok: false, detail: `Banned: griefing (It ends at ${until}.)` }, {}, {}, {}],
    })
  })

  it('applies a grant only in its zone, by coordinates or the player’s position, with its end', async () => {
    const { get, addZone, accountStore, people, nodeReports, clock } = await openZoneDoor(open, { routes })
    const { zone } = await addZone()
    const { email, playerId, displayName, createdAt } = people.player
    const grants = [{ id: 'town', permission: 'zone.build', zone: zone.id, until, by: 'operator', at: createdAt }]
    await accountStore.change(email, (current) => ({ result: undefined, next: current && { ...current, grants } }))
    const question = `${path}&permission=zone.build`
    const elsewhere = await get(question)
    expect(elsewhere.body).toMatchObject({
      allowed: false,
      checks: [{}, { check: 'permission', ok: false }, {}, { check: 'zone' }],
    })
    expect(elsewhere.body.checks[1].detail).toContain(
      `A grant gives it only elsewhere: in zone ${zone.id} until ${until}, given by operator.`,
    )
    const there = {
      allowed: true,
      checks: [
        {},
        { ok: true, detail: expect.stringContaining(until) },
        {},
        { ok: true, detail: expect.stringContaining('"Town"') },
      ],
      rule: { rule: 'zone.build', group: '', through: [], source: 'grant' },
    }
    expect((await get(`${question}&x=3.5&y=15&z=4`)).body).toMatchObject(there)
    expect((await get(`${question}&world=north&x=3.5&y=15&z=4`)).body).toMatchObject({ allowed: false })
    const position = { x: 3.5, y: 15, z: 4, yaw: 0, pitch: 0 }
    const since = new Date(clock.now()).toISOString()
    await tellPlayers(nodeReports, 'one', [{ playerId, email, displayName, world: 'default', position, since }])
    expect((await get(question)).body).toMatchObject(there)
    expect((await get(`${question}&world=north`)).body).toMatchObject({ allowed: false })
  })

  it('denies building in a zone without zone.build there', async () => {
    const { get, addZone } = await openZoneDoor(open, { routes })
    await addZone()
    const { body } = await get(`${path}&permission=world.build&x=3&y=15&z=4`)
    expect(body).toMatchObject({ allowed: false, checks: [{}, { ok: true }, {}, { check: 'zone', ok: false }] })
    expect(body.checks[3].detail).toContain('"zone.build" is not granted')
  })

  it.each([
    ['', 400, '/permission'],
    ['&permission=world.build&command=help', 400, '/command'],
    ['&command=nothing', 400, '/command'],
    ['&permission=two words', 400, '/permission'],
    ['&permission=zone.buld', 422, '/permission'],
    ['&permission=world.build&x=1', 400, '/y'],
    ['&permission=world.build&y=1&z=2', 400, '/x'],
    ['&permission=world.build&x=1&y=1e400&z=2', 400, '/y'],
    ['&permission=world.build&type=stone', 400, '/type'],
    ['&permission=world.build&x=1&y=1&z=2&type=nonsense', 400, '/type'],
    ['&permission=world.build&world=nowhere', 404, undefined],
  ])('refuses %j with %s', async (query, status, pointer) => {
    const { get } = await open({ as: 'admin', routes })
    const answer = await get(`${path}${query.replaceAll(' ', '%20')}`)
    expect(answer.status).toBe(status)
    if (pointer !== undefined) expect(answer.body.errors).toMatchObject([{ pointer }])
  })

  it('asks the modules of the node about an edit', async () => {
    const door = await openZoneDoor(open, { routes })
    const { get, store, accountStore, people, tokens, events, presence, nodeReports } = door
    const asked: unknown[] = []
    const edit = ({ player, changes }: EditEvent) => {
      asked.push([player.data.count, changes])
      return changes[0]?.y === 64 ? { refuse: 'Not at the surface.' } : undefined
    }
    const data = Type.Object({ count: Type.Integer({ default: 0 }) })
    const guard = { declare: { player: { schema: data } }, decide: { edit } }
    const whereabouts = createMemoryWhereabouts()
    const shared = { store, accountStore, tokens, events, presence, nodeReports, whereabouts }
    const game = await startGameWithModules({ guard, idle: { decide: { chat: () => undefined } } }, { shared })
    const endLink = await game.composedModules?.link()
    await tellPlayers(nodeReports, game.nodeId, [])
    const ask = async (y: number) => {
      let answer: Awaited<ReturnType<typeof get>> | undefined
      void get(`${path}&permission=world.build&x=3&y=${y}&z=3&type=stone`).then((found) => {
        answer = found
      })
      while (answer === undefined) {
        await new Promise(setImmediate)
        game.tick()
      }
      return answer.body
    }
    const { checks, ...offline } = await ask(64)
    expect(offline).toMatchObject({ allowed: true, modulesNotAsked: true })
    expect(checks.at(-1)).toEqual({
      check: 'module',
      ok: true,
      detail: 'guard: It was not asked, because player is not in the world.',
    })
    await game.joinAs(people.player)
    for (let round = 0; round < 2; round += 1)
      expect(await ask(64)).toMatchObject({
        allowed: false,
        checks: [{}, {}, {}, {}, { check: 'module', ok: false, detail: 'guard: Not at the surface.' }],
      })
    const online = await ask(65)
    expect(online.checks.at(-1)).toEqual({ check: 'module', ok: true, detail: 'guard: It allows this.' })
    expect(online).not.toHaveProperty('modulesNotAsked')
    expect(asked).toEqual([
      [0, [{ x: 3, y: 64, z: 3, from: expect.any(String), to: 'stone' }]],
      [0, [expect.objectContaining({ y: 64 })]],
      [0, [expect.objectContaining({ y: 65 })]],
    ])
    endLink?.()
    await game.close()
    expect((await get(`${path}&permission=world.build&x=3&y=64&z=3&type=stone`)).body.checks.at(-1)).toMatchObject({
      check: 'module',
      detail: expect.stringContaining('no node of the world answered'),
    })
  })

  it('explains commands and permissions of modules, and queries the modules about a command', async () => {
    const door = await openZoneDoor(open, { routes })
    const { get, store, accountStore, people, tokens, events, presence, nodeReports } = door
    const pay = { description: 'Pays.', forms: [[]], permission: 'module.shop.pay', privileged: true, run: () => '' }
    const openShop = { description: 'Opens.', forms: [[]], permission: 'none', run: () => '' }
    const shop = {
      declare: { permissions: { 'module.shop.pay': 'Pay.' } },
      commands: { pay, open: openShop },
      decide: { command: ({ name }: { readonly name: string }) => (name === 'open' ? { refuse: 'Closed.' } : undefined) },
    }
    const whereabouts = createMemoryWhereabouts()
    const shared = { store, accountStore, tokens, events, presence, nodeReports, whereabouts }
    const game = await startGameWithModules({ shop }, { shared })
    const endLink = await game.composedModules?.link()
    await tellPlayers(nodeReports, game.nodeId, [])
    const ask = async (query: string) => {
      let answer: Awaited<ReturnType<typeof get>> | undefined
      void get(`${path}&${query}`).then((found) => {
        answer = found
      })
      while (answer === undefined) {
        await new Promise(setImmediate)
        game.tick()
      }
      return answer
    }
    expect((await ask('command=pay')).body).toMatchObject({
      allowed: false,
      permission: 'module.shop.pay',
      checks: [
        { check: 'sanction' },
        { check: 'switched-off', ok: true },
        { check: 'permission', ok: false },
        { check: 'verified', detail: expect.stringContaining('Privileged') },
      ],
    })
    expect((await ask('command=/shop:pay')).body).toMatchObject({ permission: 'module.shop.pay' })
    expect((await ask('permission=module.shop.pay')).body).toMatchObject({ allowed: false, permission: 'module.shop.pay' })
    expect((await ask('permission=module.shop.sell')).status).toBe(422)
    expect((await ask('command=sell')).status).toBe(400)
    await game.joinAs(people.player)
    expect((await ask('command=open&world=default')).body).toMatchObject({ allowed: false, permission: 'none' })
    expect((await ask('command=open&world=default')).body.checks.at(-1)).toEqual({
      check: 'module',
      ok: false,
      detail: 'shop: Closed.',
    })
    expect((await ask('command=who&world=default')).body.checks.at(-1)).toEqual({
      check: 'module',
      ok: true,
      detail: 'shop: It allows this.',
    })
    endLink?.()
    await game.close()
  })

  it('needs admin.users.read and an existing account', async () => {
    expect((await (await open({ as: 'player', routes })).get(`${path}&command=help`)).status).toBe(403)
    const { get } = await open({ as: 'admin', routes })
    expect((await get('/api/admin/explain?email=ghost@example.com&command=help')).status).toBe(404)
  })
})
