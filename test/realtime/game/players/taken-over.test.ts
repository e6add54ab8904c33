import { beforeEach, expect, it } from '@jest/globals'
import type { Command } from '../../../../realtime/commands/command.ts'
import { type FakeClient, openFakeClient } from '../../../support/realtime/fake-socket.ts'
import { createRealtimeFixture } from '../../../support/realtime/realtime-fixture.ts'
import { createFixedClock } from '../../../support/time/fixed-clock.ts'
import { waitFor } from '../../../support/time/wait-for.ts'

let finish = (): void => {}
const secret: Command = {
  name: 'secret',
  description: 'Waits, and tells a secret.',
  forms: [[]],
  permission: 'command.who',
  privileged: false,
  run: async () => {
    await new Promise<void>((resolve) => {
      finish = resolve
    })
    return { ok: true, text: 'the code', data: { code: 'xyz' } }
  },
}

const clock = createFixedClock()
let node: ReturnType<typeof createRealtimeFixture>
let token: string

beforeEach(async () => {
  finish = () => {}
  node = createRealtimeFixture({ clock, extraCommands: [secret] })
  token = await node.signIn(await node.addAccount('ann'))
})

const tick = (): void => {
  clock.advance(50)
  node.loop.tick(clock.monotonic())
}
const enter = async (resumeToken?: string): Promise<FakeClient> => {
  const client = openFakeClient(node)
  client.send({
    $case: 'connect',
    value: { token: resumeToken === undefined ? token : '', protocolVersion: 1, clientName: 'test', resumeToken },
  })
  await waitFor(() => {
    tick()
    return client.find('welcome') !== undefined
  })
  return client
}
const ask = async (client: FakeClient): Promise<void> => {
  let isAsked = false
  finish = () => {}
  const before = finish
  client.send({ $case: 'command', value: { seq: 1, text: '/secret' } })
  await waitFor(() => {
    tick()
    isAsked = finish !== before
    return isAsked
  })
}

it('sends a command result to a resumed session, and not to one of another sign-in', async () => {
  const first = await enter()
  await ask(first)
  const resumed = await enter(first.find('welcome')?.resumeToken)
  finish()
  await waitFor(() => {
    tick()
    return resumed.find('commandResult') !== undefined
  })
  expect(resumed.find('commandResult')).toMatchObject({ seq: 1, ok: true, data: { code: 'xyz' } })

  await ask(resumed)
  const other = await enter()
  finish()
  await new Promise((resolve) => setImmediate(resolve))
  for (let turn = 0; turn < 5; turn += 1) {
    tick()
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(other.find('commandResult')).toBeUndefined()
  // Its own command gets an answer.
  await ask(other)
  finish()
  await waitFor(() => {
    tick()
    return other.find('commandResult') !== undefined
  })
})
