import { describe, expect, it } from '@jest/globals'
import { readIgnored, setIgnored } from '../../../shared/domain/players/ignored-players.ts'
import { createCommandFixture } from './command-fixture.ts'

const ignoredMax = 200

const createScene = async () => {
  const fixture = createCommandFixture()
  const ann = await fixture.addAccount('ann@example.org', { displayName: 'Ann' })
  const ben = await fixture.addAccount('ben@example.org', { displayName: 'Ben B.' })
  const boss = await fixture.addAccount('boss@example.org', { groups: ['admin'], displayName: 'Boss' })
  for (const account of [ann, ben, boss]) fixture.join(account)
  return { ...fixture, ann, ben, boss }
}

describe('/msg and /r', () => {
  it('reach one player, and /r answers the last partner of a /msg', async () => {
    const { run, ann, ben, done } = await createScene()
    expect(await run(ann, '/msg "ben b." hello  there')).toMatchObject({ ok: true, text: 'To Ben B.: hello  there' })
    expect(await run(ann, '/r more')).toMatchObject({ ok: true, text: 'To Ben B.: more' })
    expect(done).toEqual([
      ['whisper', ben.playerId, 'Ann', 'hello  there'],
      ['whisper', ben.playerId, 'Ann', 'more'],
    ])
    expect(await run(ben, '/r who?')).toMatchObject({ ok: false, data: { slug: 'not-found' } })
  })

  it('refuse a missing player, the caller, and a player outside the game', async () => {
    const { run, ann, done, players } = await createScene()
    expect(await run(ann, '/msg cid hello')).toMatchObject({ ok: false, data: { slug: 'not-found' } })
    expect(await run(ann, '/msg ann hello')).toMatchObject({ ok: false, data: { slug: 'bad-request' } })
    for (const line of ['/msg', '/msg ben', '/r', '/r  ']) expect(await run(ann, line)).toMatchObject({ ok: false })
    await run(ann, '/msg "ben b." hello')
    players.splice(1, 1)
    expect(await run(ann, '/r still there?')).toMatchObject({ ok: false, text: expect.stringContaining('is not in the game') })
    expect(done).toHaveLength(1)
  })

  it('report the lost connection of a listed player who cannot receive the message', async () => {
    const { run, ann, ben, players, live } = await createScene()
    const { whisper } = live
    live.whisper = async (playerId, line) => (playerId === ben.playerId ? 'absent' : whisper(playerId, line))
    players.splice(1, 1, ...players.slice(1, 2).map((player) => ({ ...player, isLost: true as const })))
    expect(await run(ann, '/msg "ben b." hello')).toMatchObject({
      ok: false,
      text: 'Ben B. has lost the connection. Send it again when they are back.',
    })
  })

  it('match emails only for callers who may see them', async () => {
    const { run, ann, boss } = await createScene()
    for (const email of ['ben@example.org', 'nobody@example.org'])
      expect(await run(ann, `/msg ${email} hello`)).toEqual({
        ok: false,
        text: `"${email}" is not in the game. Use /who to list the players.`,
        data: { code: 'refused', slug: 'not-found' },
      })
    expect(await run(boss, '/msg ben@example.org hello')).toMatchObject({ ok: true })
  })

  it.each(['/msg "ben b." hello', '/r hello', '/announce hello'])('refuses %s to a muted player', async (line) => {
    const { run, boss, ann, done } = await createScene()
    await run(boss, '/rbac:setgroup ann@example.org admin')
    await run(ann, '/msg "ben b." before')
    const before = done.length
    expect(await run(boss, '/mute ann@example.org 10m caps lock')).toMatchObject({ ok: true })
    expect(await run(ann, line)).toMatchObject({ ok: false, data: { code: 'muted', reason: 'caps lock' } })
    expect(done).toHaveLength(before)
    expect(await run(ann, '/ignore "ben b."')).toMatchObject({ ok: true })
  })
})

describe('/ignore and /unignore', () => {
  it('list, add and remove ignored players in the store, in the game or not', async () => {
    const { run, ann, ben, store, done, players } = await createScene()
    expect(await run(ann, '/ignore')).toMatchObject({ ok: true, text: 'You do not ignore anyone.' })
    expect(await run(ann, '/ignore "BEN B."')).toMatchObject({ ok: true, text: 'Ben B. is now ignored.' })
    expect(await run(ann, '/ignore "ben b."')).toMatchObject({ ok: true, data: { ignored: 1 } })
    expect([...(await readIgnored(store, ann.playerId))]).toEqual([ben.playerId])
    expect((await run(ann, '/ignore')).text).toBe('You ignore: Ben B.')
    players.splice(1, 1)
    expect(await run(ann, '/unignore cid')).toMatchObject({ ok: false, data: { slug: 'not-found' } })
    expect(await run(ann, '/unignore "ben b."')).toMatchObject({ ok: true, text: 'Ben B. is no longer ignored.' })
    expect([...(await readIgnored(store, ann.playerId))]).toEqual([])
    expect(done.at(-1)).toEqual(['ignored', ann.playerId, []])
  })

  it('refuse the caller, an email, and one more than the limit', async () => {
    const { run, ann, store } = await createScene()
    expect(await run(ann, '/ignore ann')).toMatchObject({ ok: false, data: { slug: 'bad-request' } })
    for (const email of ['ben@example.org', 'nobody@example.org'])
      expect(await run(ann, `/ignore ${email}`)).toMatchObject({ ok: false, data: { slug: 'not-found' } })
    const playerIds = Array.from({ length: ignoredMax }, (_, at) => `player-${at}`)
    for (const playerId of playerIds) await setIgnored(store, ann.playerId, playerId, true)
    expect(await run(ann, '/ignore "ben b."')).toMatchObject({ ok: false, data: { slug: 'conflict' } })
    expect((await readIgnored(store, ann.playerId)).size).toBe(ignoredMax)
  })

  it('lose no change when several run at the same time', async () => {
    const { run, ann, addAccount, join, store } = await createScene()
    const others = await Promise.all(
      Array.from({ length: 8 }, (_, at) => addAccount(`p${at}@example.org`, { displayName: `P${at}` })),
    )
    for (const other of others) join(other)
    await Promise.all(others.map(({ displayName }) => run(ann, `/ignore ${displayName}`)))
    expect([...(await readIgnored(store, ann.playerId))].sort()).toEqual(others.map(({ playerId }) => playerId).sort())
  })
})

describe('/announce', () => {
  it('needs the permission and a password sign-in, and writes an audit entry', async () => {
    const { run, ann, boss, done, entries } = await createScene()
    expect(await run(ann, '/announce free cake')).toMatchObject({ ok: false, data: { permission: 'command.announce' } })
    expect(await run(boss, '/announce free cake', false)).toMatchObject({ ok: false, data: { code: 'password-sign-in-needed' } })
    expect(await run(boss, '/announce restart in five minutes')).toMatchObject({ ok: true })
    expect(done).toEqual([['announce', 'restart in five minutes']])
    expect(entries.at(-1)).toMatchObject({
      action: 'announcement',
      actor: boss.email,
      after: { text: 'restart in five minutes' },
    })
  })
})
