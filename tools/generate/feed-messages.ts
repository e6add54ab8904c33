import type { TObject, TUnion } from '@sinclair/typebox'
import { FeedEvent, FeedReply } from '../../realtime/feeds/feed-messages.ts'
import { WorldFeedEvent } from '../../realtime/feeds/world/world-messages.ts'
import { printType } from './type-text.ts'

const printMessages = (name: string, comment: string, { anyOf }: TUnion<TObject[]>): string => {
  const lines = anyOf.map((message) => `  readonly ${message.properties.type?.const}: ${printType(message, '  ')}\n`)
  return `\n/** ${comment} */\nexport interface ${name} {\n${lines.join('')}}\n`
}

/** The types of what a feed says, as the client library has them. */
export const createFeedMessages = (): string =>
  [
    '// Made from the messages of feeds by `npm run generate`.\n',
    printMessages('ZoneFeedNews', 'What the feed of a zone tells everybody who reads it, by type.', FeedEvent),
    printMessages('WorldFeedNews', 'What the feed of a world tells, by type.', WorldFeedEvent),
    printMessages('FeedReplies', 'What a feed answers to one reader, by type.', FeedReply),
  ].join('')
