import { chatLinesMax, type EventBus } from '../../shared/events/event-bus.ts'
import type { ChatLine } from '../game/chat-lines.ts'

const controlCharacters = /\p{Cc}/gu

/** Carries chat between nodes: one event for all that was said on a node in a tick, or a few where that is very much. */
export type ChatLink = {
  tell(lines: readonly ChatLine[]): void
  /** Hands over what is said on other nodes, from now on; the returned function ends that. */
  start(hear: (lines: readonly ChatLine[]) => void): Promise<() => void>
}

export const createChatLink = ({ nodeId, events }: { readonly nodeId: string; readonly events: EventBus }): ChatLink => ({
  tell: (lines) => {
    // A name that somebody wrote into a file by hand must not cost the whole event.
    const said = lines.map(({ channel, from, text }) => ({ channel, from: from.replace(controlCharacters, ' '), text }))
    for (let at = 0; at < said.length; at += chatLinesMax)
      void events.publish('chat-said', { nodeId, lines: said.slice(at, at + chatLinesMax) })
  },
  start: (hear) =>
    events.subscribe('chat-said', ({ nodeId: speaker, lines }) => {
      if (speaker !== nodeId) hear(lines)
    }),
})
