import { afterEach, describe, expect, it } from '@jest/globals'
import { Type } from '@sinclair/typebox'
import { openModule } from '../../sdk/modules.ts'
import { createFakeGame } from './support/fake-session.ts'

const shop = {
  name: 'shop',
  '~declarations': {
    messages: {
      buy: {
        params: Type.Object({ item: Type.String(), count: Type.Integer() }),
        reply: Type.Object({ coins: Type.Integer() }),
      },
      wave: { params: Type.Object({}) },
    },
    pushes: { coins: Type.Object({ coins: Type.Integer() }) },
  },
}

const bytes = (value: unknown): Uint8Array => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value))
const text = (body: Uint8Array): string => Buffer.from(body).toString()

type Reply =
  | { readonly ok: true; readonly body: unknown }
  | { readonly ok: false; readonly code: string; readonly reason: string; readonly pointer?: string }

let game: ReturnType<typeof createFakeGame>
const enter = async (reply: (name: string, body: string) => Reply) => {
  game = createFakeGame()
  const asked: string[] = []
  game.server.answerWith((message, player) => {
    if (message.$case !== 'moduleCall') return false
    const { seq, module, name, body } = message.value
    asked.push(`${module} ${name} ${text(body)}`)
    const answer = reply(name, text(body))
    const value = answer.ok
      ? { seq, ok: true, body: answer.body === undefined ? new Uint8Array() : bytes(answer.body), code: '', reason: '' }
      : { seq, body: new Uint8Array(), ...answer }
    player.send({ $case: 'moduleReply', value })
    return true
  })
  const session = await game.enter()
  return { session, server: game.server, asked, client: openModule<typeof shop>(session, 'shop') }
}
afterEach(() => game.close())

describe('openModule', () => {
  it('sends a message and resolves with the typed reply', async () => {
    const { client, asked } = await enter(() => ({ ok: true, body: { coins: 7 } }))
    const { coins } = await client.call('buy', { item: 'äpple', count: 2 })
    expect(coins.toFixed()).toBe('7')
    expect(asked).toEqual(['shop buy {"item":"äpple","count":2}'])
  })

  it('resolves with undefined for a message without a reply', async () => {
    const { client } = await enter(() => ({ ok: true, body: undefined }))
    const reply: undefined = await client.call('wave', {})
    expect(reply).toBeUndefined()
  })

  it('matches replies by their numbers', async () => {
    const { client } = await enter((_name, body) => ({ ok: true, body: { coins: JSON.parse(body).count } }))
    const replies = await Promise.all([1, 2, 3].map((count) => client.call('buy', { item: 'apple', count })))
    expect(replies).toEqual([{ coins: 1 }, { coins: 2 }, { coins: 3 }])
  })

  it('rejects with the code and the reason of a refusal', async () => {
    const refusals: Reply[] = [
      { ok: false, code: 'invalid-message', reason: 'must be a whole number', pointer: '/count' },
      { ok: false, code: 'module-rules', reason: 'You have too few coins.' },
    ]
    const { client } = await enter(() => refusals.shift() ?? { ok: true, body: {} })
    await expect(client.call('buy', { item: 'apple', count: 1.5 })).rejects.toMatchObject({
      name: 'ModuleRefusedError',
      code: 'invalid-message',
      pointer: '/count',
    })
    await expect(client.call('buy', { item: 'apple', count: 1 })).rejects.toMatchObject({
      code: 'module-rules',
      message: 'You have too few coins.',
      pointer: undefined,
    })
  })

  it('refuses parameters over 8 KiB, and sends nothing', async () => {
    const { client, asked } = await enter(() => ({ ok: true, body: { coins: 1 } }))
    const item = 'x'.repeat(8_200)
    await expect(client.call('buy', { item, count: 1 })).rejects.toMatchObject({
      name: 'NotSentError',
      code: 'message-too-large',
    })
    expect(asked).toEqual([])
  })

  it('rejects calls without a reply when the connection is lost', async () => {
    const { session, client, server } = await enter(() => ({ ok: true, body: {} }))
    server.answerWith((message) => message.$case === 'moduleCall')
    const call = client.call('wave', {})
    server.cut()
    await expect(call).rejects.toMatchObject({ name: 'ConnectionLostError' })
    await session.close()
  })

  it('hears the pushes of its own module and name only', async () => {
    const { session, client, server } = await enter(() => ({ ok: true, body: {} }))
    const heard: number[] = []
    const stop = client.on('coins', ({ coins }) => heard.push(coins))
    const push = (module: string, name: string, coins: number) =>
      server.say({ $case: 'modulePush', value: { module, name, body: bytes({ coins }) } })
    push('shop', 'coins', 1)
    push('bank', 'coins', 2)
    push('shop', 'gems', 3)
    push('shop', 'coins', 4)
    await session.ping()
    stop()
    push('shop', 'coins', 5)
    await session.ping()
    expect(heard).toEqual([1, 4])
  })

  it('has the types of the declarations', async () => {
    const { client } = await enter(() => ({ ok: true, body: { coins: 1 } }))
    // @ts-expect-error a number is needed
    await client.call('buy', { item: 'apple', count: '1' })
    // @ts-expect-error there is no such message
    await client.call('sell', {})
    // @ts-expect-error there is no such push
    client.on('gems', () => undefined)()
  })
})
