import { expect, it } from '@jest/globals'
import { createRedisEventBus } from '../../../shared/platform/events/redis/redis-events.ts'
import type { RealtimeClient } from '../../support/realtime/realtime-client.ts'
import type { TwoNodes } from '../../support/realtime/two-nodes.ts'
import { startTwoNodes } from '../../support/realtime/two-nodes.ts'
import { describeRedis, openRedisForTests } from '../../support/redis/redis.ts'
import { silentLog } from '../../support/time/silent-log.ts'
import { waitFor } from '../../support/time/wait-for.ts'
import { createStoredZones, createZone } from '../../support/zones/stored-zones.ts'

describeRedis('private messages and announcements on two nodes of a single Redis', () => {
  let nodes: TwoNodes
  startTwoNodes(openRedisForTests, (started) => {
    nodes = started
  })

  const says = async (client: RealtimeClient, text: string) => {
    client.command(text)
    return client.next('commandResult')
  }
  const chat = (client: RealtimeClient, text: string) => client.send({ $case: 'chat', value: { text } })
  const joinBoth = async () => {
    const [ann, cid] = [await nodes.here.join('ann'), await nodes.there.join('cid')]
    await nodes.linked.seeEachOther([1, 1])
    return { ann: ann.client, cid: cid.client, annAccount: ann.account, cidToken: cid.token }
  }

  it('by /msg and /r reach the player on the other node', async () => {
    const { ann, cid, annAccount } = await joinBoth()
    expect(await says(ann, '/msg cid are you there')).toMatchObject({ ok: true, text: 'To cid: are you there' })
    expect(await cid.next('notice')).toEqual({
      severity: 'info',
      kind: 'whisper',
      text: 'ann whispers: are you there',
      from: 'ann',
      fromId: annAccount.playerId,
    })
    expect(await says(cid, '/r I am')).toMatchObject({ ok: true })
    expect(await ann.next('notice')).toMatchObject({
      kind: 'whisper',
      text: 'cid whispers: I am',
      from: 'cid',
      fromId: expect.stringMatching(/^[\da-f-]{36}$/),
    })
    expect([ann.count('chatMessage'), cid.count('chatMessage')]).toEqual([0, 0])
  })

  it('do not reach a player who ignores the sender, silently, also after a reconnection', async () => {
    const { ann, cid, cidToken } = await joinBoth()
    expect(await says(cid, '/ignore ann')).toMatchObject({ ok: true })
    expect(await says(ann, '/msg cid hello?')).toMatchObject({ ok: true, text: 'To cid: hello?' })
    chat(ann, 'hello everybody')
    await waitFor(() => ann.count('chatMessage') === 1)
    chat(cid, 'so quiet here')
    await waitFor(() => cid.received.some(({ value }) => value.text === 'so quiet here'))
    cid.send({ $case: 'disconnect', value: {} })
    await cid.closed()
    const again = await nodes.there.open()
    again.connect(cidToken)
    await again.next('welcome')
    chat(ann, 'and now?')
    await waitFor(() => ann.received.some(({ value }) => value.text === 'and now?'))
    chat(again, 'still quiet')
    await waitFor(() => again.received.some(({ value }) => value.text === 'still quiet'))
    for (const client of [cid, again]) expect(JSON.stringify(client.received)).not.toMatch(/hello|and now/)
    expect(await says(again, '/unignore ann')).toMatchObject({ ok: true })
    chat(ann, 'at last')
    await waitFor(() => again.received.some(({ value }) => value.text === 'at last'))
  })

  it('are refused beyond twenty lines a second for one player', async () => {
    const { ann, cid } = await joinBoth()
    const { here, there } = nodes
    const whisper = (at: number) => here.link.elsewhere.whisper(cidId, { fromId: `p${at}`, from: 'P', text: `line ${at}` })
    const cidId = (await here.link.elsewhere.listPlayers())[0]?.playerId ?? ''
    const outcomes = await Promise.all(Array.from({ length: 60 }, (_, at) => whisper(at)))
    const told = outcomes.filter((outcome) => outcome === 'told').length
    expect(outcomes).toContain('busy')
    expect(told).toBeGreaterThanOrEqual(20)
    await waitFor(() => cid.count('notice') === told)
    expect([ann.count('notice'), there.link !== here.link]).toEqual([0, true])
  })

  it('by an announcement of a third process reach every player once', async () => {
    const { ann, cid } = await joinBoth()
    const events = createRedisEventBus({ redis: nodes.linked.redis, log: silentLog })
    await events.publish('announced', { text: 'restart at six' })
    for (const client of [ann, cid])
      expect(await client.next('notice')).toEqual({ severity: 'info', kind: 'announcement', text: 'restart at six' })
    nodes.here.link.elsewhere.announce('from here')
    expect(await cid.next('notice')).toMatchObject({ text: 'from here' })
    expect([ann.count('notice'), cid.count('notice')]).toEqual([1, 2])
    await events.close()
  })

  it('by an announcement to a world or a zone reach only the players there', async () => {
    const { ann, cid, annAccount } = await joinBoth()
    const { here, linked } = nodes
    const zone = await createStoredZones(here.store, here.events).put(
      createZone({ chunks: [{ cx: 40, cz: -3 }], enabled: false }),
    )
    const goTo = (x: number, z: number, y = 64): void =>
      here.loop.live.teleport(annAccount.playerId, { x, y, z, yaw: 0, pitch: 0 })
    goTo(640.5, -33.5)
    await ann.next('correction')
    const events = createRedisEventBus({ redis: linked.redis, log: silentLog })
    const announce = (text: string, place: object) => events.publish('announced', { text, ...place })
    await announce('elsewhere', { world: 'north' })
    await announce('other zone', { zone: createZone().id })
    await announce('this world', { world: 'default' })
    for (const client of [ann, cid]) expect(await client.next('notice')).toMatchObject({ text: 'this world' })
    await waitFor(async () => {
      await announce('this zone', { zone: zone.id })
      return ann.received.some(({ value }) => value.text === 'this zone')
    })
    goTo(640.5, -33.5, 81)
    await ann.next('correction')
    await announce('above the zone', { world: 'default', zone: zone.id })
    await announce('the end', {})
    for (const client of [ann, cid]) await waitFor(() => client.received.some(({ value }) => value.text === 'the end'))
    const noticesOf = ({ received }: RealtimeClient) =>
      new Set(received.filter((one) => one.case === 'notice').map((one) => one.value.text))
    expect([...noticesOf(cid)]).toEqual(['this world', 'the end'])
    expect([...noticesOf(ann)]).toEqual(['this world', 'this zone', 'the end'])
    await events.close()
  })
})
