import { beforeEach, describe, expect, it } from '@jest/globals'
import { createRevocationWatch } from '../../../realtime/game/players/revocation-watch.ts'
import { type RestoreDeps, readRestoredSessions } from '../../../realtime/sessions/restored-sessions.ts'
import { goingAway } from '../../../realtime/socket/closing.ts'
import type { Account } from '../../../shared/domain/accounts/account.ts'
import type { KeptSession } from '../../../shared/domain/sessions/session-store.ts'
import { AppError } from '../../../shared/kernel/errors.ts'
import { hashSecret } from '../../../shared/kernel/ids.ts'
import { createKeptSession } from '../../contracts/session-store-contract.ts'
import { type FakeClient, openFakeClient } from '../../support/realtime/fake-socket.ts'
import { createRealtimeFixture, type RealtimeFixture } from '../../support/realtime/realtime-fixture.ts'
import { createFixedClock, type FixedClock } from '../../support/time/fixed-clock.ts'

const away = () => Promise.reject(new AppError('unavailable', 'service-unavailable', 'away'))

import { waitFor } from '../../support/time/wait-for.ts'

describe('sessions that an earlier node stored', () => {
  let clock: FixedClock
  let node: RealtimeFixture
  let ann: Account
  beforeEach(async () => {
    clock = createFixedClock()
    node = createRealtimeFixture({ clock })
    ann = await node.addAccount('ann')
  })
  const keptOf = ({ playerId }: Account, more: Partial<KeptSession> = {}): KeptSession =>
    createKeptSession(playerId, {
      signedInAt: clock.now() - 60_000,
      place: { x: 5.5, y: 64, z: 0.5, yaw: 90, pitch: 0 },
      ...more,
    })
  const restore = (kept: readonly KeptSession[], deps: Partial<RestoreDeps> = {}) =>
    readRestoredSessions({ ...node, sessions: { take: async () => kept }, ...deps })

  it('are restored with the current account and command switches', async () => {
    const kept = keptOf(ann)
    expect(await restore([kept])).toEqual([{ kept, account: ann, disabled: new Set(), ignored: new Set() }])
  })

  it('are not restored when the account is gone or the sign-in has ended', async () => {
    const [bob, cid] = [await node.addAccount('bob'), await node.addAccount('cid')]
    const sessions = [keptOf(ann), keptOf(bob, { signInId: 'signed out' }), keptOf(cid), createKeptSession('nobody')]
    const token = await node.tokens.issue({
      playerId: bob.playerId,
      verified: true,
      signInId: 'signed out',
      signedInAt: clock.now(),
    })
    await node.tokens.revoke(token)
    await node.tokens.revokeAccount(cid.playerId)
    expect((await restore(sessions)).map(({ account }) => account.displayName)).toEqual(['ann'])
  })

  it('are restored when another or an earlier sign-in of the account has ended', async () => {
    const token = await node.tokens.issue({
      playerId: ann.playerId,
      verified: true,
      signInId: 'another',
      signedInAt: clock.now(),
    })
    await node.tokens.revoke(token)
    await node.tokens.revokeAccount(ann.playerId)
    for (const signedInAt of [clock.now(), clock.now() + 1]) expect(await restore([keptOf(ann, { signedInAt })])).toHaveLength(1)
  })

  it('are not restored when another process deleted the account after it was read here', async () => {
    let isFresh = false
    const accountStore = {
      ...node.accountStore,
      version: () => {
        isFresh = true
        return node.accountStore.version()
      },
      findByPlayerId: async () => (isFresh ? undefined : ann),
    }
    expect(await restore([keptOf(ann)], { accountStore })).toEqual([])
  })

  it.each([
    ['they', () => ({ sessions: { take: away } })],
    ['revocations', () => ({ tokens: { revokedSince: away } })],
    ['accounts', () => ({ accountStore: { ...node.accountStore, findByPlayerId: away } })],
  ])('are dropped when %s cannot be read, so that no player joins unchecked', async (_what, broken) => {
    expect(await restore([keptOf(ann)], broken())).toEqual([])
    expect(node.lines.some(({ msg }) => String(msg).includes('must sign in again'))).toBe(true)
  })

  it('wait for their player for the whole window from the start of this node, at their place', async () => {
    const kept = keptOf(ann, { resumeHash: hashSecret('secret'), wishedRadius: 3 })
    node.loop.restore(await restore([kept]))
    node.loop.tick(clock.monotonic())
    expect(node.loop.live.listPlayers()).toMatchObject([{ playerId: ann.playerId, position: kept.place }])
    clock.advance(59_000)
    node.loop.tick(clock.monotonic())
    expect(node.loop.live.listPlayers()).toHaveLength(1)
    clock.advance(1001)
    node.loop.tick(clock.monotonic())
    expect(node.loop.live.listPlayers()).toEqual([])
  })

  it('of a crowd all resume within two seconds, and none expires while its player connects', async () => {
    const crowd = await Promise.all(Array.from({ length: 600 }, (_, index) => node.addAccount(`p${index}`)))
    const secretOf = ({ playerId }: Account): string => `secret of ${playerId}`
    node.loop.restore(await restore(crowd.map((one) => keptOf(one, { resumeHash: hashSecret(secretOf(one)) }))))
    clock.advance(59_900)
    const clients = crowd.map((one) => {
      const client = openFakeClient(node)
      const value = { token: '', protocolVersion: 1, clientName: 'test', resumeToken: secretOf(one) }
      client.send({ $case: 'connect', value })
      return client
    })
    const welcomed = (): number => clients.filter((client) => client.find('welcome') !== undefined).length
    node.loop.tick(clock.monotonic())
    expect(welcomed()).toBeLessThan(300)
    for (let ticks = 0; ticks < 40; ticks += 1) {
      clock.advance(50)
      node.loop.tick(clock.monotonic())
    }
    expect(welcomed()).toBe(600)
  })

  describe('once restored', () => {
    const resume = (resumeToken: string): FakeClient => {
      const client = openFakeClient(node)
      client.send({ $case: 'connect', value: { token: '', protocolVersion: 1, clientName: 'test', resumeToken } })
      node.loop.tick(clock.monotonic())
      return client
    }
    beforeEach(async () => {
      node.loop.restore(await restore([keptOf(ann, { resumeHash: hashSecret('secret'), wishedRadius: 3 })]))
    })

    it('are resumed with the earlier secret, once, at the same place and with the same view', () => {
      expect(resume('secret').find('welcome')).toMatchObject({
        playerId: ann.playerId,
        viewRadius: 3,
        viewRadiusMax: 8,
        groups: ['player'],
        position: { x: 5.5, y: 64, z: 0.5, yaw: 90, pitch: 0 },
      })
      expect(resume('secret').find('kick')).toMatchObject({ code: 'invalid-resume' })
    })

    it('keep waiting when the connection that would resume them is gone before its slot', async () => {
      const gone = openFakeClient(node)
      gone.send({ $case: 'connect', value: { token: '', protocolVersion: 1, clientName: 'test', resumeToken: 'secret' } })
      gone.connection.ended()
      node.loop.tick(clock.monotonic())
      expect(node.loop.state().sessions).toEqual({ connected: 0, detached: 1 })
      expect(resume('secret').find('welcome')).toMatchObject({ playerId: ann.playerId })
    })

    it('end when their player leaves while this node stops, and are not for the next one', async () => {
      const client = resume('secret')
      node.loop.stopAccepting(goingAway())
      client.send({ $case: 'chat', value: { text: 'not heard any more' } })
      client.send({ $case: 'disconnect', value: {} })
      node.loop.tick(clock.monotonic())
      expect(client.socket.closedWith).toBe(1000)
      expect(client.find('chatMessage')).toBeUndefined()
      await node.sessionKeeper.flush()
      expect(await node.keptSessions.openWorld(node.world.record.id, 2).take()).toEqual([])
    })

    it('are taken over by a new sign-in, at the same place', async () => {
      const client = openFakeClient(node)
      const token = await node.signIn(ann)
      client.send({ $case: 'connect', value: { token, protocolVersion: 1, clientName: 'test' } })
      await waitFor(() => {
        node.loop.tick(clock.monotonic())
        return client.find('welcome') !== undefined
      })
      expect(client.find('welcome')?.position).toMatchObject({ x: 5.5, z: 0.5 })
    })

    it('end when their sign-in ends before the player is back', async () => {
      node.loop.accounts.signInEnded({ playerId: ann.playerId, at: clock.now() })
      node.loop.tick(clock.monotonic())
      expect(resume('secret').find('kick')).toMatchObject({ code: 'invalid-resume' })
    })

    it('end with a sign-in that ended after they were read, despite a slow start and a lost event', async () => {
      clock.advance(1)
      await node.tokens.revokeAccount(ann.playerId)
      clock.advance(20_000)
      await createRevocationWatch({ ...node, live: node.loop.accounts, clock }).checkRevocations()
      node.loop.tick(clock.monotonic())
      expect(resume('secret').find('kick')).toMatchObject({ code: 'invalid-resume' })
    })

    it('are stored for the next node, with the current secret of the player', async () => {
      const token = resume('secret').find('welcome')?.resumeToken ?? ''
      await node.sessionKeeper.flush()
      const [kept] = await node.keptSessions.openWorld(node.world.record.id, 2).take()
      expect(kept).toMatchObject({ playerId: ann.playerId, resumeHash: hashSecret(token), wishedRadius: 3 })
    })
  })
})
