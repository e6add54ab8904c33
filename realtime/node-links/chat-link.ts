import { chatLinesMax, type EventBus } from '../../shared/platform/events/event-bus.ts'
import type { ChatLine } from './chat-line.ts'

/** A name without control characters, as events require. */
export const toPrintable = (name: string): string => name.replace(/\p{Cc}/gu, ' ')

/** Carries chat between nodes. A tick with chat sends one event, or a few if there are very many lines. */
export type ChatLink = {
  tell(lines: readonly ChatLine[]): void
  /** Receives the lines of other nodes. Returns a function that stops it. */
  start(hear: (lines: readonly ChatLine[]) => void): Promise<() => void>
}

export const createChatLink = ({ nodeId, events }: { readonly nodeId: string; readonly events: EventBus }): ChatLink => ({
  tell: (lines) => {
    // A name that was edited by hand in a file must not make the whole event invalid.
    const said = lines.map((line) => ({ ...line, from: toPrintable(line.from) }))
    for (let at = 0; at < said.length; at += chatLinesMax)
      void events.publish('chat-said', { nodeId, lines: said.slice(at, at + chatLinesMax) })
  },
  start: (hear) =>
    events.subscribe('chat-said', ({ nodeId: speaker, lines }) => {
      if (speaker !== nodeId) hear(lines)
    }),
})
