import { expect, it } from '@jest/globals'
import { openFakeClient } from '../../support/realtime/fake-socket.ts'
import { createRealtimeFixture } from '../../support/realtime/realtime-fixture.ts'
import { createFixedClock } from '../../support/time/fixed-clock.ts'
import { waitFor } from '../../support/time/wait-for.ts'

it('lets players join and build with the smallest budget that server.yaml allows', async () => {
  const clock = createFixedClock()
  const node = createRealtimeFixture({ clock, settings: { messagesPerSecond: 1, messageBurst: 1 } })
  const token = await node.signIn(await node.addAccount('ann'))
  const client = openFakeClient(node)
  const tick = (): void => {
    clock.advance(1000)
    node.loop.tick(clock.monotonic())
  }
  client.send({ $case: 'connect', value: { token, protocolVersion: 1, clientName: 'test', resumeToken: undefined } })
  await waitFor(() => {
    tick()
    return client.find('welcome') !== undefined
  })
  const edits = Array.from({ length: 200 }, (_, x) => ({ x, y: 70, z: 0, type: 'stone' }))
  client.send({ $case: 'editBlocks', value: { seq: 1, edits } })
  tick()
  expect([client.find('editResult')?.seq, client.socket.closedWith]).toEqual([1, undefined])
  client.send({ $case: 'ping', value: { nonce: 1 } })
  client.send({ $case: 'ping', value: { nonce: 2 } })
  expect(client.socket.closedWith).toBe(4029)
})
