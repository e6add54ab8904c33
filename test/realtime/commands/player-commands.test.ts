import { describe, expect, it } from '@jest/globals'
import { createCommandList } from '../../../realtime/commands/command-list.ts'
import { commands } from '../../../realtime/commands/commands.ts'
import { createCommandExecutor } from '../../../realtime/commands/executor/executor.ts'
import { createOperator } from '../../../realtime/commands/executor/operator.ts'
import { readSavedPosition } from '../../../shared/domain/players/player-state.ts'
import { AppError } from '../../../shared/kernel/errors.ts'
import { createOperatorCaller } from '../../support/realtime/operator-caller.ts'
import { createCommandFixture } from './command-fixture.ts'

const createScene = async () => {
  const fixture = createCommandFixture()
  const mod = await fixture.addAccount('mod@example.org', { groups: ['moderator'], displayName: 'Mo' })
  const ann = await fixture.addAccount('ann@example.org', { displayName: 'Ann B.' })
  fixture.join(mod)
  fixture.join(ann)
  return { ...fixture, mod, ann }
}

describe('/who', () => {
  it('lists players by name, and shows emails only with the permission', async () => {
    const { run, mod, addAccount } = await createScene()
    const root = await addAccount('root@example.org', { groups: ['admin'] })
    expect(await run(mod, '/who')).toMatchObject({ ok: true, text: '2 players in the game: Ann B., Mo' })
    expect(JSON.stringify(await run(mod, '/who'))).not.toContain('@')
    expect((await run(root, '/who')).text).toContain('Ann B. (ann@example.org)')
    expect(JSON.stringify(await run(root, '/who', false))).not.toContain('@')
  })

  it('marks players with a lost connection', async () => {
    const { run, mod, players } = await createScene()
    players.splice(1, 1, ...players.slice(1, 2).map((player) => ({ ...player, isLost: true as const })))
    const reply = await run(mod, '/who')
    expect(reply).toMatchObject({
      text: '2 players in the game: Ann B. (connection lost), Mo',
      data: { players: [{ displayName: 'Ann B.', isLost: true }, { displayName: 'Mo' }] },
    })
  })
})

describe('/who in a crowd', () => {
  it('counts all players and lists a hundred, so that the answer stays small', async () => {
    const { run, mod, players } = await createScene()
    const [someone] = players
    if (someone === undefined) throw new Error('nobody is in the game')
    for (let i = players.length; i < 2000; i += 1) players.push({ ...someone, displayName: `p${i}` })
    const reply = await run(mod, '/who')
    expect(reply.text).toMatch(/^2000 players in the game: .*, and 1900 more$/)
    expect(reply.data).toMatchObject({ count: 2000 })
    expect(JSON.stringify(reply).length).toBeLessThan(16_384)
  })
})

describe('/say', () => {
  it('sends the rest of the line unchanged, under the display name', async () => {
    const { run, ann, done } = await createScene()
    expect(await run(ann, '/say  hi   "there" 世界 ')).toMatchObject({ ok: true })
    expect(await run(ann, '/say')).toMatchObject({ ok: false, data: { code: 'bad-arguments' } })
    expect(await run(ann, '/say too much')).toMatchObject({ ok: false, data: { code: 'refused' } })
    expect(await run(ann, '/say "  "')).toMatchObject({ ok: false, data: { code: 'bad-arguments' } })
    expect(done).toEqual([['say', 'Ann B.', 'hi   "there" 世界']])
  })
})

describe('/tp', () => {
  it('moves the caller to the ground at a place, loads it first, and keeps the view direction', async () => {
    const { run, mod, done } = await createScene()
    expect(await run(mod, '/tp -10.5 70 +3')).toMatchObject({ ok: true, text: 'You are at -10.5 64 3.' })
    expect(await run(mod, '/tp 29999999.5 5 -29999999.5')).toMatchObject({ ok: true })
    expect(done).toEqual([
      ['teleport', mod.playerId, { x: -10.5, y: 64, z: 3, yaw: 90, pitch: 10 }],
      ['teleport', mod.playerId, { x: 29_999_999.5, y: 64, z: -29_999_999.5, yaw: 90, pitch: 10 }],
    ])
  })

  it('treats a coordinate that begins with ~ as relative to the caller', async () => {
    const { run, mod, done } = await createScene()
    expect(await run(mod, '/tp ~ ~ ~')).toMatchObject({ ok: true, text: 'You are at 1.5 64 -2.25.' })
    expect(await run(mod, '/tp ~10 ~100 ~-.5')).toMatchObject({ ok: true, text: 'You are at 11.5 64 -2.75.' })
    expect(await run(mod, '/tp ~+1 0 7')).toMatchObject({ ok: true, text: 'You are at 2.5 64 7.' })
    expect(done).toHaveLength(3)
  })

  it('moves the caller to the exact position of a player', async () => {
    const { run, mod, ann, done, players } = await createScene()
    const away = { email: ann.email, playerId: ann.playerId, displayName: ann.displayName, groups: ann.groups }
    players[1] = { ...away, position: { x: 100, y: 70, z: 7, yaw: 0, pitch: 0 } }
    expect(await run(mod, '/tp "ann b."')).toMatchObject({ ok: true })
    const there = ['teleport', mod.playerId, { x: 100, y: 70, z: 7, yaw: 90, pitch: 10 }]
    expect(done).toEqual([there])
  })

  it('matches emails only for callers who may see them', async () => {
    const { run, mod, ann, addAccount, join, done } = await createScene()
    for (const email of [ann.email, 'nobody@example.org'])
      expect(await run(mod, `/tp ${email}`)).toEqual({
        ok: false,
        text: `"${email}" is not in the game. Use /who to list the players.`,
        data: { code: 'refused', slug: 'not-found' },
      })
    expect(done).toEqual([])
    const root = await addAccount('root@example.org', { groups: ['admin'] })
    join(root)
    expect(await run(root, `/tp ${ann.email}`)).toMatchObject({ ok: true })
  })

  it.each([
    ['/tp', /<x> is missing/],
    ['/tp 1 2', /<z> is missing/],
    ['/tp 1 2 3 4', /too many/],
    ['/tp 1 two 3', /<y> must be a number/],
    ['/tp 1 ~two 3', /<y> must be a number/],
    ['/tp 1 2~ 3', /<y> must be a number/],
    ['/tp 1 . 3', /<y> must be a number/],
    ['/tp 30000000.5 1 1', /outside the world/],
    ['/tp 1 -1 1', /outside the world/],
    ['/tp 1 1 -30000000.1', /outside the world/],
    ['/tp ~ ~-65 ~', /outside the world/],
    ['/tp 30000000 1 1', /outside the world/],
    ['/tp nobody', /no player with that name/],
  ])('refuses %s and moves no one', async (text, message) => {
    const { run, mod, done } = await createScene()
    expect(await run(mod, text)).toMatchObject({ ok: false, text: expect.stringMatching(message) })
    expect(done).toEqual([])
  })

  it('reports a place that cannot be loaded in time, and moves no one', async () => {
    const { run, mod, done, world } = await createScene()
    world.state.isStuck = true
    expect(await run(mod, '/tp 500 64 500')).toMatchObject({ ok: false, text: expect.stringContaining('in time') })
    expect(done).toEqual([])
  })
})

describe('/world', () => {
  it('shows name, seed, chunks and tick times', async () => {
    const { run, mod, world } = await createScene()
    await run(mod, '/tp 0.5 64 0.5')
    await world.writer.settle()
    for (const milliseconds of [1.25, 2, 30]) world.tickTimes.add(milliseconds)
    const reply = await run(mod, '/world')
    expect(reply.text.split('\n')).toEqual([
      'World default, seed 7, generator flat-1, created on 2026-11-20',
      expect.stringMatching(/^1 chunks, [\d.]+ MiB on disk$/),
      '1 chunks in memory, 0 loading',
      'Tick time over the last 3 ticks: median 2 ms, 99th percentile 30 ms, maximum 30 ms',
    ])
    expect(reply.data).toMatchObject({ name: 'default', seed: 7, chunkCount: 1, tickTimes: { ticks: 3, p50Ms: 2 } })
  })
})

describe('/save', () => {
  it('writes the positions of players, and reports the count and the time', async () => {
    const { run, mod, store, world } = await createScene()
    world.places.follow({ playerId: mod.playerId, x: 3, y: 64, z: 4, yaw: 0, pitch: 0 })
    expect(await run(mod, '/save')).toEqual({
      ok: true,
      text: 'Saved in 0 ms: 1 player position and all changes of 0 chunks.',
      data: { chunkCount: 0, places: 1, milliseconds: 0 },
    })
    expect(await readSavedPosition(store, world.record.id, mod.playerId)).toMatchObject({ x: 3, z: 4 })
  })
})

describe('/kick', () => {
  it('kicks by any name, with the reason or the name of the moderator', async () => {
    const { run, mod, ann, done } = await createScene()
    expect(await run(mod, '/kick "Ann B." being rude')).toEqual({
      ok: true,
      text: 'Kicked "Ann B.".',
      data: { playerId: ann.playerId },
    })
    expect(await run(mod, `/kick ${ann.playerId}`)).toMatchObject({ ok: true })
    expect(done).toEqual([
      ['kick', ann.playerId, 'being rude'],
      ['kick', ann.playerId, 'Kicked by Mo.'],
    ])
  })

  it('refuses to kick a player with a permission that the caller lacks', async () => {
    const { run, mod, addAccount, join, done } = await createScene()
    const root = await addAccount('root@example.org', { groups: ['admin'], displayName: 'Root' })
    join(root)
    expect(await run(mod, '/kick Root')).toMatchObject({ ok: false, data: { slug: 'beyond-own-permissions' } })
    expect(done).toEqual([])
    expect(await run(root, '/kick Mo')).toMatchObject({ ok: true })
  })

  it('kicks the limited session of a privileged account, which /mute refuses', async () => {
    const { run, mod, addAccount, join, done, players } = await createScene()
    const root = await addAccount('root@example.org', { groups: ['admin'], displayName: 'Root' })
    join(root)
    const at = players.findIndex(({ playerId }) => playerId === root.playerId)
    players.splice(at, 1, ...players.slice(at, at + 1).map((player) => ({ ...player, isLimited: true as const })))
    expect(await run(mod, '/mute root@example.org 10m stop')).toMatchObject({
      ok: false,
      text: expect.stringContaining('You can kick'),
    })
    expect(await run(mod, '/kick Root')).toMatchObject({ ok: true })
    expect(done).toEqual([['kick', root.playerId, 'Kicked by Mo.']])
  })

  it('writes the moderator, the player and the reason to the audit log', async () => {
    const { run, mod, ann, entries } = await createScene()
    entries.length = 0
    await run(mod, '/kick "Ann B." being rude')
    expect(entries).toEqual([
      expect.objectContaining({
        actor: mod.email,
        action: 'player.kick',
        target: ann.email,
        via: 'command',
        requestId: 'request-1',
        after: { playerId: ann.playerId, reason: 'being rude' },
      }),
    ])
  })

  it('kicks no one when the audit entry cannot be written', async () => {
    const { run, mod, done, deps } = await createScene()
    deps.audit.append = () => Promise.reject(new AppError('unavailable', 'service-unavailable', 'Not now.'))
    expect(await run(mod, '/kick "Ann B."')).toMatchObject({ ok: false })
    expect(done).toEqual([])
  })

  it('kicks no one when two players share the name, or no player has it', async () => {
    const { run, mod, addAccount, accounts, join, done, entries } = await createScene()
    const { email } = await addAccount('other@example.org')
    // Only an administrator with force can give two accounts the same name.
    join(await accounts.updateAccount(createOperator('setup'), email, { displayName: 'ANN B.', force: true }))
    entries.length = 0
    expect(await run(mod, '/kick "ann b."')).toMatchObject({ ok: false, text: expect.stringContaining('Several') })
    expect(await run(mod, '/kick nobody')).toMatchObject({ ok: false, data: { code: 'refused', slug: 'not-found' } })
    expect([done, entries.filter(({ action }) => action === 'player.kick')]).toEqual([[], []])
  })
})

describe('the console', () => {
  it('may run every command, but has no player', async () => {
    const { executor, ann, done } = await createScene()
    const operator = createOperatorCaller('request-9')
    expect(executor.listCommandsFor(operator)).toHaveLength(commands.length)
    expect(await executor.execute(operator, '/say maintenance')).toMatchObject({ ok: true })
    expect(await executor.execute(operator, `/kick ${ann.email}`)).toMatchObject({ ok: true })
    expect(done).toEqual([
      ['say', 'operator', 'maintenance'],
      ['kick', ann.playerId, 'Kicked by operator.'],
    ])
    for (const text of ['/tp 1 2 3', '/command:disable who'])
      expect(await executor.execute(operator, text)).toMatchObject({ ok: false, data: { code: 'refused' } })
  })

  it('gets a refusal of live commands when there is no game', async () => {
    const { deps, log } = await createScene()
    const { live: _live, ...offline } = deps
    const executor = createCommandExecutor({ commands: createCommandList(commands), deps: offline, log })
    for (const text of ['/who', '/say x', '/kick ann', '/tp 1 2 3'])
      expect(await executor.execute(createOperatorCaller('r'), text)).toMatchObject({
        ok: false,
        text: expect.stringContaining('in the game'),
      })
  })
})

describe('/help', () => {
  it('lists the commands that the caller may run, with usage', async () => {
    const { run, ann } = await createScene()
    const { text } = await run(ann, '/help')
    expect(text.split('\n').map((line) => line.split(' ')[0])).toEqual([
      '/help',
      '/who',
      '/say',
      '/msg',
      '/r',
      '/ignore',
      '/unignore',
      '/spawn',
      '/report',
      '/command:disable',
      '/command:enable',
    ])
  })

  it('explains a command and why the caller cannot run it, and suggests the nearest name', async () => {
    const { run, ann } = await createScene()
    expect((await run(ann, '/help /Kick')).text).toMatch(
      /^\/kick <player> \[reason\]\n.*\nYou cannot run it: You do not have access to \/kick\.$/,
    )
    expect(await run(ann, '/help kicc')).toMatchObject({ ok: false, data: { code: 'refused', nearest: 'kick' } })
  })
})

describe('/spawn and /setspawn', () => {
  it('/spawn takes every caller to the spawn, and /setspawn moves it with the permission', async () => {
    const { run, addAccount, join, done, spawns } = createCommandFixture()
    const ann = await addAccount('ann@example.org')
    const boss = await addAccount('boss@example.org', { groups: ['admin'] })
    for (const one of [ann, boss]) join(one)
    expect(await run(ann, '/setspawn 1 64 1')).toMatchObject({ ok: false })
    expect(await run(boss, '/setspawn 3 70 -5')).toMatchObject({ ok: true })
    expect(spawns).toMatchObject([{ x: 3, z: -5 }])
    const reply = await run(ann, '/spawn')
    expect(reply).toMatchObject({ ok: true, data: { x: 3, z: -5 } })
    expect(done.at(-1)).toEqual(['teleport', ann.playerId, expect.objectContaining({ x: 3, z: -5 })])
  })
})
