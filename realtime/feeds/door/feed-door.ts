import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { AppError } from '../../../shared/kernel/errors.ts'
import type { Ids } from '../../../shared/kernel/ids.ts'
import { requestIdOf } from '../../../shared/kernel/ids.ts'
import type { Log } from '../../../shared/kernel/log.ts'
import type { FeedTarget } from '../../routing/feed-path.ts'
import type { SocketPort } from '../../socket/connection.ts'
import { createRefusalAnswer, type RefusalAnswer } from '../../socket/refuse-upgrade.ts'
import { createUpgradeReadQueue, hasLeft } from '../../socket/upgrade-read-queue.ts'
import type { FeedEnd } from '../feed-socket.ts'
import type { WorldFeeds } from '../world/world-feeds.ts'
import type { ZoneFeeds } from '../zone-feeds.ts'
import type { FeedKnock } from './authenticate-feed.ts'
import type { OriginRules } from './is-own-origin.ts'

/** The maximum number of feeds of a node. */
const feedsMax = 1000

/** Opens an admitted feed. */
export type OpenFeed = (port: SocketPort) => FeedEnd

export type FeedDoor = {
  /**
   * Checks an upgrade. Returns how to open the feed, the refusal, or undefined if the client has left. Never rejects. `client` is
   * the sender of `request`.
   */
  knock(
    request: IncomingMessage,
    target: FeedTarget,
    client: { readonly stream: Duplex; readonly address: string },
  ): Promise<{ readonly open: OpenFeed } | { readonly refusal: RefusalAnswer } | undefined>
}

export type FeedDoorDeps = {
  readonly feeds: Pick<ZoneFeeds, 'admit' | 'open' | 'count'>
  readonly worldFeeds: Pick<WorldFeeds, 'admit' | 'open' | 'count'>
  readonly origins: () => OriginRules
  readonly ids: Pick<Ids, 'uuid'>
  readonly log: Log
}

const full = (): AppError =>
  new AppError('unavailable', 'service-unavailable', 'This node has the maximum number of feeds. Try again later.', {
    retryAfterSeconds: 5,
  })

export const createFeedDoor = ({ feeds, worldFeeds, origins, ids, log }: FeedDoorDeps): FeedDoor => {
  const turns = createUpgradeReadQueue()
  const refuseWhenFull = (): void => {
    if (feeds.count() + worldFeeds.count() >= feedsMax) throw full()
  }

  const admit = async (target: FeedTarget, knock: FeedKnock): Promise<OpenFeed> => {
    if ('world' in target) {
      const admitted = await worldFeeds.admit({ ...knock, ...target }, origins())
      return (port) => worldFeeds.open(port, admitted)
    }
    const admitted = await feeds.admit({ ...knock, ...target }, origins())
    return (port) => feeds.open(port, admitted)
  }

  const admitOrTell = async (target: FeedTarget, knock: FeedKnock): Promise<OpenFeed> => {
    try {
      return await admit(target, knock)
    } catch (error) {
      const { requestId } = knock
      if (!(error instanceof AppError)) log.error({ err: error, requestId }, 'an upgrade to a feed failed')
      else if (error.kind === 'unavailable') log.warn({ cause: error.cause, requestId }, 'an upgrade to a feed was not checked')
      throw error
    }
  }

  return {
    knock: async ({ headers, url = '' }, target, client) => {
      const requestId = requestIdOf(headers['x-request-id'], ids)
      try {
        refuseWhenFull()
        const open = await turns.take(client, () => admitOrTell(target, { headers, requestId }))
        refuseWhenFull()
        return { open }
      } catch (error) {
        return hasLeft(error) ? undefined : { refusal: createRefusalAnswer(error, url.split('?', 1)[0] ?? '', requestId) }
      }
    },
  }
}
