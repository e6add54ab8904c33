import { expect, it } from '@jest/globals'
import { openFakeClient } from '../../support/realtime/fake-socket.ts'
import { createRealtimeFixture } from '../../support/realtime/realtime-fixture.ts'
import { createFixedClock } from '../../support/time/fixed-clock.ts'
import { waitFor } from '../../support/time/wait-for.ts'

const [override, isolate, endOfIsolate] = ['\u202e', '\u2067', '\u2069']
const marks = (count: number): string => '\u0335'.repeat(count)

/** The text from a client, and the text that players see. */
const written = `a${override}b Z${marks(40)}! ${isolate}שלום${endOfIsolate}`
const shown = `ab Z${marks(8)}! ${isolate}שלום${endOfIsolate}`

const createScene = async () => {
  const clock = createFixedClock()
  const fixture = createRealtimeFixture({ clock })
  const { loop, addAccount, signIn } = fixture
  const tick = () => {
    clock.advance(50)
    loop.tick(clock.monotonic())
  }
  /** Ticks until all messages are handled. */
  const settle = () =>
    waitFor(() => {
      tick()
      return loop.isIdle()
    })
  const join = async (name: string, groups: readonly string[]) => {
    const client = openFakeClient(fixture)
    const token = await signIn(await addAccount(name, groups))
    client.send({ $case: 'connect', value: { token, protocolVersion: 1, clientName: 'test' } })
    await waitFor(loop.isIdle)
    tick()
    return client
  }
  return { speaker: await join('mo', ['moderator']), listener: await join('ann', ['player']), settle, tick }
}

it.each([
  ['a chat line', { $case: 'chat', value: { text: written } }],
  ['/say', { $case: 'command', value: { seq: 1, text: `/say ${written}` } }],
  ['/say as a chat line', { $case: 'chat', value: { text: `/say ${written}` } }],
] as const)('%s reaches players without open overrides and stacks of marks', async (_name, message) => {
  const { speaker, listener, settle, tick } = await createScene()
  speaker.send(message)
  await settle()
  tick()
  expect(listener.find('chatMessage')?.text).toBe(shown)
})

it('/msg shows one player the same text', async () => {
  const { speaker, listener, settle } = await createScene()
  speaker.send({ $case: 'command', value: { seq: 1, text: `/msg ann ${written}` } })
  await settle()
  expect(listener.find('notice')?.text).toBe(`mo whispers: ${shown}`)
})

it('refuses a chat line that is only an override', async () => {
  const { speaker, listener, tick } = await createScene()
  speaker.send({ $case: 'chat', value: { text: override } })
  tick()
  expect(speaker.find('error')).toMatchObject({ code: 'invalid-chat' })
  expect(listener.find('chatMessage')).toBeUndefined()
})
