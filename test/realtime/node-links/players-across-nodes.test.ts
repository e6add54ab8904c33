import { describe, expect, it } from '@jest/globals'
import type { LinkedNodes } from '../../support/realtime/linked-nodes.ts'
import type { RealtimeClient } from '../../support/realtime/realtime-client.ts'
import type { RealtimeNode } from '../../support/realtime/realtime-node.ts'
import { startTwoNodes } from '../../support/realtime/two-nodes.ts'
import { describeRedis, openRedisForTests } from '../../support/redis/redis.ts'
import { waitFor } from '../../support/time/wait-for.ts'
import { createStoredZones, createZone } from '../../support/zones/stored-zones.ts'

describeRedis('players of two nodes on a single Redis', () => {
  let linked: LinkedNodes
  let here: RealtimeNode
  let there: RealtimeNode
  startTwoNodes(openRedisForTests, (nodes) => {
    ;({ linked, here, there } = nodes)
  })

  const tries = async (client: RealtimeClient, text: string) => {
    client.command(text)
    return client.next('commandResult')
  }

  describe('/who', () => {
    it('counts and names all players by world, on any node', async () => {
      const ann = await here.join('ann')
      await here.join('ben')
      const cid = await there.join('cid')
      await linked.seeEachOther([1, 2])
      expect(await tries(ann.client, '/who')).toMatchObject({
        ok: true,
        text: '3 players in the game: ann, ben\nIn the world arena: cid',
        data: {
          count: 3,
          players: [
            { displayName: 'ann' },
            { displayName: 'ben' },
            { displayName: 'cid', playerId: cid.account.playerId, world: 'arena' },
          ],
        },
      })
      expect(await tries(cid.client, '/who')).toMatchObject({
        text: '3 players in the game: cid\nIn the world default: ann, ben',
      })
      expect(JSON.stringify(ann.client.received)).not.toContain('@')
    })

    it('shows emails of players on all nodes only to callers who may see them', async () => {
      here.permissions.replace({
        groups: [{ name: 'reader', permissions: ['command.who', 'admin.users.read'] }],
        defaultGroups: [],
      })
      const mo = await here.join('mo', { groups: ['reader'] })
      await there.join('cid')
      await linked.seeEachOther([1, 1])
      expect((await tries(mo.client, '/who')).text).toContain('In the world arena: cid (cid@example.com)')
    })
  })

  describe('/kick', () => {
    const join = async () => {
      const mo = await here.join('mo', { groups: ['moderator'] })
      const cid = await there.join('cid')
      await linked.seeEachOther([1, 1])
      return { mo, cid }
    }

    it.each([
      ['display name', () => 'CID'],
      ['email', () => 'cid@example.com'],
      ['playerId', (playerId: string) => playerId],
    ])('ends the session of a player of another node by %s, with the reason', async (_what, nameOf) => {
      const { mo, cid } = await join()
      expect(await tries(mo.client, `/kick ${nameOf(cid.account.playerId)} being rude`)).toMatchObject({
        ok: true,
        text: 'Kicked "cid".',
      })
      expect(await cid.client.next('kick')).toMatchObject({ code: 'kicked', reason: 'being rude' })
      expect(await cid.client.closed()).toMatchObject({ code: 4003 })
      expect(there.loop.live.listPlayers()).toEqual([])
      expect(mo.client.isOpen()).toBe(true)
    })

    it('refuses an ambiguous name across two nodes, and kicks by id', async () => {
      const { mo } = await join()
      const twin = await here.join('twin')
      const other = await here.addAccount('cid-2')
      await here.accountStore.change(other.email, () => ({ next: { ...other, displayName: 'twin' }, result: other }))
      const client = await there.open()
      client.connect(await there.signIn(other))
      await client.next('welcome')
      await linked.seeEachOther([2, 2])
      const refused = await tries(mo.client, '/kick twin')
      expect(refused).toMatchObject({ ok: false, data: { code: 'refused', slug: 'conflict' } })
      expect(refused.text).toContain(twin.account.playerId)
      expect(refused.text).toContain(other.playerId)
      expect(await tries(mo.client, `/kick ${other.playerId}`)).toMatchObject({ ok: true })
      expect(await client.closed()).toMatchObject({ code: 4003 })
      expect(twin.client.isOpen()).toBe(true)
    })

    it('reports when no node answers within two seconds', async () => {
      const { mo, cid } = await join()
      there.link.close()
      expect(await tries(mo.client, '/kick cid')).toMatchObject({
        ok: false,
        text: expect.stringContaining('No node confirmed the kick'),
        data: { slug: 'service-unavailable' },
      })
      expect(cid.client.isOpen()).toBe(true)
    })

    it('finds a player who changed nodes while the request was in flight', async () => {
      const { mo } = await join()
      expect(await here.link.elsewhere.kick(mo.account.playerId, 'found')).toBe(true)
      expect(await mo.client.next('kick')).toMatchObject({ reason: 'found' })
    })

    it('answers at once that no player has that name', async () => {
      const { mo } = await join()
      expect(await tries(mo.client, '/kick nobody')).toMatchObject({ ok: false, data: { slug: 'not-found' } })
    })
  })

  it('/why decides for a player of another node at their position there', async () => {
    here.permissions.replace({
      groups: [
        { name: 'asker', permissions: ['command.why'] },
        { name: 'player', permissions: ['world.build'] },
      ],
      defaultGroups: ['player'],
    })
    const mo = await here.join('mo', { groups: ['asker'] })
    await there.join('cid')
    // Nodes share records in production, but not these two.
    const { name: world } = await here.worlds.ensureActive()
    const chunks = [-1, 0].flatMap((cx) => [-1, 0].map((cz) => ({ cx, cz })))
    await createStoredZones(here.store).put(createZone({ world, name: 'Ring', yMin: 0, yMax: 255, chunks }))
    await linked.seeEachOther([1, 1])
    const why = async () => String((await tries(mo.client, '/why cid world.build')).text)
    // Nodes publish positions once a second.
    await waitFor(async () => !(await why()).includes('The position is unknown'))
    expect(await why()).toMatch(/zone: At -?\d+ \d+ -?\d+ in zone "Ring"/)
  })

  it('/tp to a player of another node names their world and moves no one', async () => {
    const mo = await here.join('mo', { groups: ['moderator'] })
    await there.join('cid')
    await linked.seeEachOther([1, 1])
    expect(await tries(mo.client, '/tp cid')).toMatchObject({
      ok: false,
      text: expect.stringContaining('"cid" is in the world arena'),
      data: { slug: 'conflict' },
    })
    expect(mo.client.count('correction')).toBe(0)
  })

  it('are kicked, listed and reached on their own node while Redis is away', async () => {
    const mo = await here.join('mo', { groups: ['moderator'] })
    const ann = await here.join('ann')
    linked.cutOff(0)
    await waitFor(() =>
      here.link.elsewhere.listPlayers().then(
        () => false,
        () => true,
      ),
    )
    expect((await tries(mo.client, '/who')).text).toBe(
      '2 players in the game: ann, mo\nThe players on other nodes are unknown at the moment.',
    )
    expect(await tries(mo.client, '/tp ann')).toMatchObject({ ok: true })
    expect(await tries(mo.client, '/kick nobody')).toMatchObject({ ok: false })
    expect(await tries(mo.client, '/kick ann')).toMatchObject({ ok: true })
    expect(await ann.client.closed()).toMatchObject({ code: 4003 })
  })
})
