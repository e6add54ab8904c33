import type { TObject, TUnion } from '@sinclair/typebox'
import { FeedEvent, FeedReply } from '../../realtime/feeds/feed-messages.ts'
import { WorldFeedEvent } from '../../realtime/feeds/world/world-messages.ts'
import { printType } from './type-text.ts'

const printMessages = (name: string, comment: string, { anyOf }: TUnion<TObject[]>): string => {
  const lines = anyOf.map((message) => `  readonly ${message.properties.type?.const}: ${printType(message, '  ')}\n`)
  return `\n/** ${comment} */\nexport interface ${name} {\n${lines.join('')}}\n`
}

/** The types of feed messages, for the client library. */
export const createFeedMessages = (): string =>
  [
    '// Made from the messages of feeds by `npm run generate`.\n',
    printMessages('ZoneFeedNews', 'Messages of the feed of a zone to all its readers, by type.', FeedEvent),
    printMessages('WorldFeedNews', 'Messages of the feed of a world, by type.', WorldFeedEvent),
    printMessages('FeedReplies', 'Answers of a feed to one reader, by type.', FeedReply),
  ].join('')
