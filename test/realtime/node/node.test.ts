import { afterEach, describe, expect, it } from '@jest/globals'
import { WebSocket } from 'ws'
import { goingAway } from '../../../realtime/socket/closing.ts'
import { AppError } from '../../../shared/kernel/errors.ts'
import { operator } from '../../support/accounts/account-fixture.ts'
import type { RealtimeFixtureOptions } from '../../support/realtime/realtime-fixture.ts'
import { type RealtimeNode, startRealtimeNode } from '../../support/realtime/realtime-node.ts'
import { waitFor } from '../../support/time/wait-for.ts'

let node: RealtimeNode | undefined
const start = async (options: Omit<RealtimeFixtureOptions, 'clock'> = {}): Promise<RealtimeNode> => {
  node = await startRealtimeNode(options)
  return node
}
afterEach(async () => {
  await node?.close()
  node = undefined
})

describe.each(['binary', 'text'] as const)('a player with %s frames', (kind) => {
  it('receives a complete Welcome in the same kind of frame', async () => {
    const { join } = await start()
    const { client, account, welcome } = await join('ann', { kind })
    expect(welcome).toMatchObject({
      playerId: account.playerId,
      displayName: 'ann',
      groups: ['player'],
      position: { x: 0.5, y: 64, z: 0.5 },
      world: { name: 'default' },
      tickRate: 20,
      viewRadius: 8,
      serverVersion: '0.0.0',
      resumeSeconds: 60,
      resumeToken: expect.stringMatching(/^[\w-]{43}$/),
      limits: { messagesPerSecond: 60, burst: 120, editCost: 4, commandCost: 4 },
      movement: {
        gravity: 27,
        walkSpeed: 4.6,
        runSpeed: 7,
        flySpeed: 10,
        jumpHeight: 1.37,
        bodyWidth: 0.6,
        bodyHeight: 1.8,
      },
    })
    expect(welcome.commands).toContainEqual(
      expect.objectContaining({ name: 'who', usage: expect.any(String), description: expect.any(String) }),
    )
    expect(welcome.commands).not.toContainEqual(expect.objectContaining({ name: 'kick' }))
    expect(client.received.every(({ isBinary }) => isBinary === (kind === 'binary'))).toBe(true)
  })

  it('sees nearby players arrive, move and leave', async () => {
    const { join } = await start()
    const { client: ann } = await join('ann', { kind })
    const { client: bob, account } = await join('bob', { kind })
    const [appeared] = (await ann.next('players')).appeared as Record<string, unknown>[]
    expect(appeared).toMatchObject({ playerId: account.playerId, displayName: 'bob', position: { x: 2.5, y: 64, z: 0.5 } })
    bob.move(3, 4)
    const { cells } = await ann.next('players')
    const [{ cell, moved }] = cells as [{ cell: object; moved: string }]
    const entry = Buffer.from(moved, 'base64')
    expect({ x: 0, z: 0, ...cell }).toEqual({ x: 0, z: 0 })
    expect([entry.readUInt16LE(0), entry.readUInt16LE(2) / 64, entry.readUInt16LE(4) / 64, entry.readUInt16LE(6) / 64]).toEqual([
      appeared?.ref,
      3,
      64,
      4,
    ])
    bob.send({ $case: 'disconnect', value: {} })
    expect(await bob.closed()).toEqual({ code: 1000, reason: 'left' })
    expect((await ann.next('players')).gone).toEqual([appeared?.ref])
  })

  it('sends chat to all players on the node', async () => {
    const { join } = await start()
    const { client: ann, account } = await join('ann', { kind })
    const { client: bob } = await join('bob', { kind: kind === 'binary' ? 'text' : 'binary' })
    ann.send({ $case: 'chat', value: { text: '  Grüße 👋  ' } })
    const said = { channel: 'global', from: 'ann', text: 'Grüße 👋', fromId: account.playerId }
    for (const client of [ann, bob]) expect(await client.next('chatMessage')).toEqual(said)
  })

  it.each([
    ['nothing', '   '],
    ['513 characters', 'x'.repeat(513)],
    ['control characters', 'a\u0007b'],
    ['a command behind an invisible character', '\u200b/adduser x@y.z a-password'],
    ['a command behind a full-width slash', '／adduser x@y.z a-password'],
  ])('receives an error for a line of %s', async (_what, text) => {
    const { join } = await start()
    const { client } = await join('ann', { kind })
    client.send({ $case: 'chat', value: { text } })
    expect(await client.next('error')).toMatchObject({ code: 'invalid-chat' })
    expect(client.count('chatMessage')).toBe(0)
  })

  it('runs commands as messages and as chat, without those of other groups', async () => {
    const { join } = await start()
    const { client } = await join('ann', { kind })
    client.command('/who', 7)
    expect(await client.next('commandResult')).toMatchObject({ seq: 7, ok: true, text: expect.stringContaining('ann') })
    client.send({ $case: 'chat', value: { text: '/who' } })
    expect(await client.next('commandResult')).toMatchObject({ ok: true })
    client.command('/kick ann', 8)
    const refused = await client.next('commandResult')
    expect(refused).toMatchObject({ seq: 8, text: 'You do not have access to /kick.' })
    expect(refused.ok ?? false).toBe(false)
  })

  it('switches commands off, is notified, and keeps them off in the next connection', async () => {
    const { join, open } = await start()
    const { client, token } = await join('ann', { kind })
    client.send({ $case: 'preferences', value: { disabledCommands: { names: ['nonsense'] } } })
    expect(await client.next('error')).toMatchObject({ code: 'unknown-command' })
    client.send({ $case: 'preferences', value: { disabledCommands: { names: ['who'] } } })
    const changed = await client.next('permissionsChanged')
    expect(changed.groups).toEqual(['player'])
    expect(changed.commands).not.toContainEqual(expect.objectContaining({ name: 'who' }))
    client.send({ $case: 'disconnect', value: {} })
    await client.closed()
    const again = await open(kind)
    again.connect(token)
    expect((await again.next('welcome')).commands).not.toContainEqual(expect.objectContaining({ name: 'who' }))
  })

  it('gets an answer to a ping with the nonce and the time', async () => {
    const { join } = await start()
    const { client } = await join('ann', { kind })
    client.send({ $case: 'ping', value: { nonce: 4_000_000_000 } })
    const { nonce, serverTime } = await client.next('pong')
    expect(nonce).toBe(4_000_000_000)
    expect(Math.abs(Number(serverTime) - Date.now())).toBeLessThan(10_000)
  })

  it('receives an error for garbage, unknown kinds and a second Connect, and plays on', async () => {
    const { join } = await start()
    const { client, token } = await join('ann', { kind })
    client.sendRaw(kind === 'binary' ? Buffer.from([0x12, 0xff]) : '{"move":')
    expect(await client.next('error')).toMatchObject({ code: 'invalid-message' })
    client.sendRaw(kind === 'binary' ? Buffer.from([0xa2, 0x06, 0x00]) : '{"dance":{}}')
    expect(await client.next('error')).toMatchObject({ code: 'unknown-message' })
    client.connect(token)
    expect(await client.next('error')).toMatchObject({ code: 'already-connected' })
    client.send({ $case: 'ping', value: { nonce: 1 } })
    await client.next('pong')
  })

  it.each([
    ['a forged token', (_token: string) => ({ token: '3c0f7f0e-0000-4000-8000-000000000000' }), 1008, 'invalid-token'],
    ['an empty token', () => ({ token: '' }), 1008, 'invalid-token'],
    [
      'a forged resume token with a valid token',
      (token: string) => ({ token, resumeToken: 'x'.repeat(43) }),
      1008,
      'invalid-resume',
    ],
    ['another protocol version', (token: string) => ({ token, protocolVersion: 2 }), 4002, 'protocol-version'],
  ])('is closed after %s, with the reason', async (_what, createConnect, code, reason) => {
    const { open, addAccount, signIn, loop } = await start()
    const client = await open(kind)
    const { token, ...more } = { protocolVersion: 1, ...createConnect(await signIn(await addAccount('ann'))) }
    client.connect(token, more)
    expect(await client.closed()).toEqual({ code, reason })
    expect(client.received).toEqual([
      { case: 'kick', value: expect.objectContaining({ code: reason, reason: expect.any(String) }), isBinary: kind === 'binary' },
    ])
    if (code === 4002) expect(client.received[0]?.value.protocolVersion).toBe(1)
    expect(loop.live.listPlayers()).toEqual([])
  })

  it('is closed with 1008 when the first message is not Connect', async () => {
    const { open } = await start()
    const [mover, mumbler] = [await open(kind), await open(kind)]
    mover.move(1, 1)
    mumbler.sendRaw(kind === 'binary' ? Buffer.from([0xff]) : 'hello')
    for (const client of [mover, mumbler]) {
      expect(await client.closed()).toEqual({ code: 1008, reason: 'connect-first' })
      expect(client.count('kick')).toBe(1)
    }
  })

  it('is closed with 1009 for a message over the limit, however large, with the reason', async () => {
    const { join, open } = await start({ settings: { maxMessageBytes: 8192 } })
    const fill = (bytes: number) => (kind === 'binary' ? Buffer.alloc(bytes) : ' '.repeat(bytes))
    const { client: over } = await join('ann', { kind })
    over.sendRaw(fill(8193))
    const { client: farOver } = await join('bob', { kind })
    farOver.sendRaw(fill(1_000_000))
    for (const client of [over, farOver]) {
      expect((await client.closed()).code).toBe(1009)
      expect(await client.next('kick')).toMatchObject({ code: 'message-too-large' })
    }
    const early = await open(kind)
    early.sendRaw(fill(8193))
    expect((await early.closed()).code).toBe(1009)
  })

  it('is closed with 4029 for too many messages', async () => {
    const { join } = await start({ settings: { messagesPerSecond: 1, messageBurst: 20 } })
    const { client } = await join('ann', { kind })
    for (let i = 0; i < 30; i += 1) client.send({ $case: 'ping', value: { nonce: i } })
    expect(await client.closed()).toEqual({ code: 4029, reason: 'too-many-messages' })
    await client.next('kick')
  })
})

describe('a connection', () => {
  it('without any message is closed with 1008 in time', async () => {
    const { open } = await start({ settings: { connectTimeoutMs: 100 } })
    expect((await (await open()).closed()).code).toBe(1008)
  })

  it('of another path is refused with 404', async () => {
    const { url } = await start()
    const response = await fetch(url.replace('ws:', 'http:'))
    expect(response.status).toBe(426)
    const other = new WebSocket(url.replace('/realtime', '/elsewhere'))
    const message = await new Promise((resolve) => other.on('error', (error) => resolve(error.message)))
    expect(message).toMatch(/404/)
  })

  it('of the same account displaces the older one with a reason, and takes over its place', async () => {
    const { join, open, loop } = await start()
    const { client: old, token } = await join('ann')
    const { client: bob } = await join('bob')
    old.move(5, 5)
    await bob.next('players')
    await waitFor(() => bob.model.known.values().next().value?.x === 5)
    const young = await open('text')
    young.connect(token)
    expect(await young.next('welcome')).toMatchObject({ position: { x: 5, y: 64, z: 5 } })
    expect(await old.closed()).toEqual({ code: 4001, reason: 'displaced' })
    expect(await old.next('kick')).toMatchObject({ code: 'displaced' })
    expect(loop.live.listPlayers()).toHaveLength(2)
    expect(bob.model.known.size).toBe(1)
  })

  it('to a full node receives a delay, and is closed with 1013', async () => {
    const { join, open, addAccount, signIn } = await start({ settings: { maxSessions: 1 } })
    await join('ann')
    const client = await open()
    client.connect(await signIn(await addAccount('bob')))
    expect(await client.closed()).toEqual({ code: 1013, reason: 'full' })
    expect(await client.next('kick')).toMatchObject({ code: 'full', retryAfterSeconds: 5 })
  })

  it('has the messages that come with its Connect answered after the Welcome', async () => {
    const { open, addAccount, signIn } = await start()
    const client = await open()
    client.connect(await signIn(await addAccount('ann')))
    client.send({ $case: 'ping', value: { nonce: 9 } })
    await client.next('welcome')
    expect(await client.next('pong')).toMatchObject({ nonce: 9 })
  })

  it('that does not read is closed with 4008, without an effect on others', async () => {
    const { join, loop, closings } = await start({ settings: { outgoingBufferBytes: 65_536 } })
    const { client: slow } = await join('slow')
    const { client: listener } = await join('ears')
    slow.socket.pause()
    const text = 'x'.repeat(5000)
    const isClosing = () => closings.includes('too-slow')
    for (let said = 0; !isClosing() && said < 20_000; said += 100) {
      for (let i = 0; i < 100; i += 1) loop.live.say('news', text, 'news')
      // The client must read on within two seconds, before the connection is cut.
      await waitFor(() => isClosing() || listener.count('chatMessage') >= said + 100, undefined, 1)
    }
    slow.socket.resume()
    expect((await slow.closed()).code).toBe(4008)
    expect(await slow.next('kick')).toMatchObject({ code: 'too-slow' })
    expect(listener.isOpen()).toBe(true)
    expect(closings).toEqual(['too-slow'])
  })
})

describe('a session', () => {
  it('resumes at its place by its secret, without a token, and never leaves the view of others', async () => {
    const { join, open, loop } = await start()
    const { client: ann, welcome } = await join('ann')
    const { client: bob } = await join('bob')
    ann.move(4, 4)
    await waitFor(() => [...bob.model.known.values()].some(({ x }) => x === 4))
    ann.terminate()
    const again = await open('text')
    again.connect('', { resumeToken: String(welcome.resumeToken) })
    const resumed = await again.next('welcome')
    expect(resumed).toMatchObject({ playerId: welcome.playerId, position: { x: 4, y: 64, z: 4 } })
    expect(resumed.resumeToken).not.toBe(welcome.resumeToken)
    expect(await again.next('players')).toMatchObject({ appeared: [expect.objectContaining({ displayName: 'bob' })] })
    expect(bob.received.filter(({ value }) => Array.isArray(value.gone) && value.gone.length > 0)).toEqual([])
    expect(loop.live.listPlayers()).toHaveLength(2)

    const thief = await open()
    thief.connect('', { resumeToken: String(welcome.resumeToken) })
    expect(await thief.closed()).toEqual({ code: 1008, reason: 'invalid-resume' })
    expect(again.isOpen()).toBe(true)
  })

  it('that its player left cannot be resumed', async () => {
    const { join, open } = await start()
    const { client, welcome } = await join('ann')
    client.send({ $case: 'disconnect', value: {} })
    await client.closed()
    const again = await open()
    again.connect('', { resumeToken: String(welcome.resumeToken) })
    expect((await again.closed()).code).toBe(1008)
  })

  it('ends with 4003 when the account is deleted, connected or not', async () => {
    const { join, open, accounts } = await start()
    const { client: ann, account } = await join('ann')
    const lost = await join('bob')
    lost.client.terminate()
    await accounts.removeAccount(operator, account.email)
    await accounts.removeAccount(operator, lost.account.email)
    expect(await ann.closed()).toEqual({ code: 4003, reason: 'account-removed' })
    expect(await ann.next('kick')).toMatchObject({ code: 'account-removed' })
    const again = await open()
    again.connect('', { resumeToken: String(lost.welcome.resumeToken) })
    expect((await again.closed()).code).toBe(1008)
  })

  it('ends with 4003 when its sign-in logs out, unlike other sessions of the account', async () => {
    const { join, events, tokens } = await start()
    const { client: ann, account, token } = await join('ann')
    const { client: bob } = await join('bob')
    const record = await tokens.revoke(token)
    await events.publish('sign-in-ended', { playerId: account.playerId, signInId: 'another' })
    bob.send({ $case: 'ping', value: { nonce: 1 } })
    await bob.next('pong')
    expect(ann.isOpen()).toBe(true)
    await events.publish('sign-in-ended', { playerId: account.playerId, signInId: record?.signInId ?? '' })
    expect(await ann.closed()).toEqual({ code: 4003, reason: 'sign-in-ended' })
  })

  it('ends at the next check of revocations when the event was lost', async () => {
    const { join, tokens, watch } = await start()
    const { client, token } = await join('ann')
    await tokens.revoke(token)
    await watch.checkRevocations()
    expect((await client.closed()).code).toBe(4003)
  })

  it('gets new groups and commands by event, or by the next check when the event was lost', async () => {
    const { join, accounts, accountStore, watch } = await start()
    const { client, account } = await join('ann')
    await accounts.updateAccount(operator, account.email, { groups: ['moderator'] })
    const changed = await client.next('permissionsChanged')
    expect(changed).toMatchObject({ groups: ['moderator'] })
    expect(changed.commands).toContainEqual(expect.objectContaining({ name: 'say' }))
    client.command('/say hello')
    expect(await client.next('chatMessage')).toMatchObject({ text: 'hello' })
    await accountStore.change(account.email, () => ({ next: { ...account, groups: ['player'] }, result: undefined }))
    await watch.checkAccounts()
    expect(await client.next('permissionsChanged')).toMatchObject({ groups: ['player'] })
  })

  it('is notified when groups.yaml changes its commands', async () => {
    const { join, permissions } = await start()
    const { client } = await join('ann')
    permissions.replace({ groups: [{ name: 'player', permissions: [] }], defaultGroups: ['player'] })
    expect((await client.next('permissionsChanged')).commands).not.toContainEqual(expect.objectContaining({ name: 'who' }))
    client.command('/who')
    expect(await client.next('commandResult')).toMatchObject({ text: 'You do not have access to /who.' })
  })

  it('is notified when groups.yaml changes only its right to build, and not without a change', async () => {
    const { join, permissions } = await start()
    const { client } = await join('ann')
    const [player] = permissions.listGroups().filter(({ name }) => name === 'player')
    const held = player?.permissions ?? []
    const replace = (more: readonly string[]) =>
      permissions.replace({ groups: [{ name: 'player', permissions: [...held, ...more] }], defaultGroups: ['player'] })
    replace(['zone.build'])
    expect(await client.next('permissionsChanged')).toMatchObject({
      groups: ['player'],
      commands: expect.arrayContaining([expect.objectContaining({ name: 'who' })]),
    })
    replace(['zone.build'])
    client.command('/who')
    await client.next('commandResult')
    expect(client.count('permissionsChanged')).toBe(1)
    // The same rules in another form, an unused permission, and another group: nothing changes for this player.
    replace(['-zone.none', 'zone.build', 'zone.build'])
    permissions.replace({
      groups: [
        { name: 'player', description: 'Everybody.', permissions: [...held].reverse(), inherits: ['base'] },
        { name: 'base', permissions: ['zone.build'] },
        { name: 'other', permissions: ['*'] },
      ],
      defaultGroups: ['player'],
    })
    client.command('/who')
    await client.next('commandResult')
    expect(client.count('permissionsChanged')).toBe(1)
  })

  it('of an unverified sign-in lists and runs no privileged command', async () => {
    const { join } = await start()
    const { client, welcome } = await join('ann', { groups: ['admin'], verified: false })
    expect(welcome.commands).not.toContainEqual(expect.objectContaining({ name: 'kick' }))
    client.command('/kick ann')
    expect((await client.next('commandResult')).ok ?? false).toBe(false)
    expect(client.isOpen()).toBe(true)
  })

  it('is kicked with the reason by a command, and teleported with a Correction', async () => {
    const { join } = await start()
    const { client: admin } = await join('root', { groups: ['admin'] })
    const { client: ann } = await join('ann')
    admin.command('/tp 100 70 -100')
    expect(await admin.next('correction')).toMatchObject({ reason: 'teleport', position: { x: 100, y: 64, z: -100 } })
    admin.move(101, -101, 5, 70)
    admin.command('/kick ann too loud')
    expect(await ann.next('kick')).toMatchObject({ code: 'kicked', reason: expect.stringContaining('too loud') })
    expect((await ann.closed()).code).toBe(4003)
    expect(admin.count('correction')).toBe(1)
  })
})

describe('a node', () => {
  it('that stops sends a delay to every client, then closes with 1001', async () => {
    const { join, open, server } = await start()
    const { client } = await join('ann')
    const silent = await open()
    await server.close({ closingOf: () => goingAway('The server is restarting.', 7) })
    expect(await client.closed()).toEqual({ code: 1001, reason: 'going-away' })
    expect(await client.next('kick')).toMatchObject({ code: 'going-away', retryAfterSeconds: 7 })
    expect((await silent.closed()).code).toBe(1001)
  })

  it('whose token store is unavailable sends a delay to new clients, and players play on', async () => {
    const { join, open, tokens } = await start()
    const { client: ann } = await join('ann')
    tokens.find = () => Promise.reject(new AppError('unavailable', 'service-unavailable', 'away', { retryAfterSeconds: 3 }))
    const client = await open()
    client.connect('3c0f7f0e-0000-4000-8000-000000000000')
    expect(await client.closed()).toEqual({ code: 1013, reason: 'service-unavailable' })
    expect(await client.next('kick')).toMatchObject({ retryAfterSeconds: 3 })
    ann.send({ $case: 'ping', value: { nonce: 1 } })
    await ann.next('pong')
  })

  it('runs at most four commands of a player at a time, and answers others with busy', async () => {
    let finish: (() => void) | undefined
    const gate = new Promise<void>((resolve) => {
      finish = resolve
    })
    const slow = { name: 'slow', description: 'Waits.', forms: [[]], permission: 'none' as const, privileged: false }
    const run = async () => {
      await gate
      return { ok: true, text: 'done' }
    }
    const { join } = await start({ extraCommands: [{ ...slow, run }] })
    const { client } = await join('ann')
    for (let seq = 1; seq <= 5; seq += 1) client.command('/slow', seq)
    expect(await client.next('error')).toMatchObject({ code: 'busy', seq: 5 })
    finish?.()
    await waitFor(() => client.count('commandResult') === 4)
  })
})
