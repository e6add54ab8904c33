import { expect, it } from '@jest/globals'
import type { LinkedNodes } from '../../support/realtime/linked-nodes.ts'
import type { RealtimeClient } from '../../support/realtime/realtime-client.ts'
import type { RealtimeNode } from '../../support/realtime/realtime-node.ts'
import { startTwoNodes } from '../../support/realtime/two-nodes.ts'
import { describeRedis, openRedisForTests } from '../../support/redis/redis.ts'
import { waitFor } from '../../support/time/wait-for.ts'

describeRedis('chat of two nodes on a single Redis', () => {
  let linked: LinkedNodes
  let here: RealtimeNode
  let there: RealtimeNode
  startTwoNodes(openRedisForTests, (nodes) => {
    ;({ linked, here, there } = nodes)
  })

  const linesOf = (client: RealtimeClient) =>
    client.received.filter((message) => message.case === 'chatMessage').map(({ value }) => value)

  it('reaches every player once, on each node, in every kind of frame', async () => {
    const ann = await here.join('ann')
    const ben = await here.join('ben', { kind: 'text' })
    const cid = await there.join('cid')
    const dot = await there.join('dot', { kind: 'text' })
    ann.client.send({ $case: 'chat', value: { channel: 'trade', text: 'Grüße 👋' } })
    const said = { channel: 'trade', from: 'ann', text: 'Grüße 👋', fromId: ann.account.playerId }
    const everybody = [ann, ben, cid, dot].map(({ client }) => client)
    await waitFor(() => everybody.every((client) => linesOf(client).length > 0))
    cid.client.send({ $case: 'chat', value: { text: 'hello' } })
    await waitFor(() => everybody.every((client) => linesOf(client).length > 1))
    const answer = { channel: 'global', from: 'cid', text: 'hello', fromId: cid.account.playerId }
    for (const client of everybody) expect(linesOf(client)).toEqual([said, answer])
  })

  it('keeps the order of lines of one node, many lines to an event', async () => {
    const ann = await here.join('ann')
    const cid = await there.join('cid')
    let events = 0
    await there.events.subscribe('chat-said', () => {
      events += 1
    })
    const texts = Array.from({ length: 20 }, (_, at) => `line ${at}`)
    for (const text of texts) ann.client.send({ $case: 'chat', value: { text } })
    await waitFor(() => linesOf(cid.client).length === texts.length)
    expect(linesOf(cid.client).map(({ text }) => text)).toEqual(texts)
    expect(linesOf(ann.client).map(({ text }) => text)).toEqual(texts)
    expect(events).toBeLessThan(texts.length)
  })

  it('includes /say', async () => {
    const mo = await here.join('mo', { groups: ['moderator'] })
    const cid = await there.join('cid')
    mo.client.command('/say hear me')
    const said = { channel: 'global', from: 'mo', text: 'hear me', fromId: mo.account.playerId }
    expect(await cid.client.next('chatMessage')).toEqual(said)
    expect(await mo.client.next('chatMessage')).toEqual(said)
  })

  it('drops invalid events, and continues', async () => {
    const ann = await here.join('ann')
    const cid = await there.join('cid')
    const line = { channel: 'global', from: 'x', text: 'x' }
    for (const event of [
      {},
      { nodeId: 'x', lines: 1 },
      { nodeId: 'x', lines: [{ ...line, text: '\u001b[2J' }] },
      { nodeId: 'x', lines: [{ ...line, text: 'x'.repeat(513) }] },
      { nodeId: 'x', lines: Array.from({ length: 2001 }, () => line) },
    ])
      await linked.publishRaw('chat-said', JSON.stringify(event))
    await linked.publishRaw('chat-said', '{')
    ann.client.send({ $case: 'chat', value: { text: 'still here' } })
    await waitFor(() => linesOf(cid.client).length > 0)
    expect(linesOf(cid.client)).toMatchObject([{ channel: 'global', from: 'ann', text: 'still here' }])
  })

  it('removes control characters from a name, and loses no other line', async () => {
    const odd = await here.join('odd')
    const cid = await there.join('cid')
    await here.accountStore.change(odd.account.email, (account) => {
      const next = { ...(account ?? odd.account), displayName: 'o\u0007dd' }
      return { next, result: next }
    })
    await here.watch.checkAccounts()
    await waitFor(() => here.loop.live.listPlayers().some(({ displayName }) => displayName === 'o\u0007dd'))
    odd.client.send({ $case: 'chat', value: { text: 'hi' } })
    expect(await cid.client.next('chatMessage')).toMatchObject({ channel: 'global', from: 'o dd', text: 'hi' })
  })
})
