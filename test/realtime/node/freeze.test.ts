import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import type { ClientMessageKind } from '../../../realtime/protocol/messages.ts'
import { type RealtimeNode, startRealtimeNode } from '../../support/realtime/realtime-node.ts'
import { waitFor } from '../../support/time/wait-for.ts'

const edit = (seq: number): ClientMessageKind => ({
  $case: 'editBlocks',
  value: { seq, edits: [{ x: 2 + seq, y: 64, z: 0, type: 'stone' }] },
})

describe('a node that is stopped between two ticks', () => {
  let node: RealtimeNode
  beforeEach(async () => {
    node = await startRealtimeNode()
  })
  afterEach(() => node.close())

  it.each<[string, ClientMessageKind, string]>([
    ['an edit', edit(2), 'editResult'],
    ['a command', { $case: 'command', value: { seq: 2, text: '/who' } }, 'commandResult'],
  ])('answers %s that had arrived by then', async (_what, message, answer) => {
    const { client } = await node.join('ann')
    await waitFor(
      async () => {
        client.send(edit(1))
        return (await client.next('editResult')).ok === true
      },
      undefined,
      200,
    )
    client.send(message)
    while (node.loop.state().queues.inbox === 0) await turn()
    await node.server.close()
    await client.closed()
    expect(client.received.find(({ case: kind, value }) => kind === answer && value.seq === 2)?.value).toMatchObject({ ok: true })
  })
})
