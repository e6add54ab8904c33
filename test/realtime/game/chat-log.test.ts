import { expect, it } from '@jest/globals'
import { searchChat } from '../../../shared/domain/chat/search-chat.ts'
import { openFakeClient } from '../../support/realtime/fake-socket.ts'
import { createRealtimeFixture } from '../../support/realtime/realtime-fixture.ts'
import { createFixedClock } from '../../support/time/fixed-clock.ts'
import { waitFor } from '../../support/time/wait-for.ts'

it('stores public chat with its author, and no private messages', async () => {
  const clock = createFixedClock()
  const fixture = createRealtimeFixture({ clock })
  const { loop, addAccount, signIn, chatLog, store } = fixture
  const join = async (name: string) => {
    const client = openFakeClient(fixture)
    const account = await addAccount(name, ['moderator'])
    client.send({ $case: 'connect', value: { token: await signIn(account), protocolVersion: 1, clientName: 'test' } })
    await waitFor(loop.isIdle)
    loop.tick(clock.monotonic())
    return { ...client, playerId: account.playerId }
  }
  const ada = await join('ada')
  await join('bob')
  ada.send({ $case: 'chat', value: { text: 'hello', channel: 'trade' } })
  ada.send({ $case: 'command', value: { seq: 1, text: '/msg bob a secret' } })
  ada.send({ $case: 'command', value: { seq: 2, text: '/say the harbour opens' } })
  await waitFor(() => {
    clock.advance(50)
    loop.tick(clock.monotonic())
    return loop.isIdle()
  })
  loop.tick(clock.monotonic())
  await chatLog.flush()
  const { lines } = await searchChat(store, { limit: 10 })
  expect(lines.map(({ atMs, ...line }) => line)).toEqual([
    expect.objectContaining({ text: 'the harbour opens', world: 'default' }),
    { channel: 'trade', from: 'ada', text: 'hello', by: ada.playerId, world: 'default' },
  ])
})
