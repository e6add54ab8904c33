import { describe, expect, it } from '@jest/globals'
import type { ChatLine } from '../../../realtime/node-links/chat-line.ts'
import { createChatLink } from '../../../realtime/node-links/chat-link.ts'
import { createParser } from '../../../shared/kernel/schema.ts'
import { type EventOf, topics } from '../../../shared/platform/events/event-bus.ts'
import { createMemoryEventBus } from '../../../shared/platform/events/memory-events.ts'
import { silentLog } from '../../support/time/silent-log.ts'
import { waitFor } from '../../support/time/wait-for.ts'

describe('chat that a node publishes', () => {
  it('fits its topic however many lines a tick has, and keeps its order', async () => {
    const events = createMemoryEventBus({ log: silentLog })
    const told: EventOf<'chat-said'>[] = []
    await events.subscribe('chat-said', (event) => {
      told.push(event)
    })
    const heard: ChatLine[] = []
    await createChatLink({ nodeId: 'other', events }).start((lines) => heard.push(...lines))
    const said = Array.from({ length: 5_001 }, (_, at) => ({ channel: 'a', from: 'x', text: String(at) }))
    createChatLink({ nodeId: 'here', events }).tell(said)
    await waitFor(() => heard.length === said.length)
    expect(heard).toEqual(said)
    const fits = createParser(topics['chat-said'])
    expect(told.map((event) => fits(event).ok)).toEqual([true, true, true])
  })

  it('does not return to the node', async () => {
    const events = createMemoryEventBus({ log: silentLog })
    const heard: ChatLine[] = []
    const link = createChatLink({ nodeId: 'here', events })
    await link.start((lines) => heard.push(...lines))
    link.tell([{ channel: 'a', from: 'x', text: 'own' }])
    createChatLink({ nodeId: 'other', events }).tell([{ channel: 'a', from: 'x', text: 'theirs' }])
    await waitFor(() => heard.length > 0)
    expect(heard.map(({ text }) => text)).toEqual(['theirs'])
  })
})
