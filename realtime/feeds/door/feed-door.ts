import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { AppError } from '../../../shared/kernel/errors.ts'
import type { Ids } from '../../../shared/kernel/ids.ts'
import { requestIdOf } from '../../../shared/kernel/ids.ts'
import type { Log } from '../../../shared/kernel/log.ts'
import type { SocketPort } from '../../socket/connection.ts'
import { createRefusalAnswer, type RefusalAnswer } from '../../socket/refuse-upgrade.ts'
import { createUpgradeTurns } from '../../socket/upgrade-turns.ts'
import type { FeedEnd } from '../feed-socket.ts'
import type { WorldFeeds } from '../world/world-feeds.ts'
import type { ZoneFeeds } from '../zone-feeds.ts'
import type { FeedKnock } from './authenticate-feed.ts'
import type { FeedTarget } from './feed-path.ts'
import type { OriginRules } from './is-own-origin.ts'

/** Feeds of one node, and upgrades that are being checked or wait for that. */
const feedsMax = 1000
const knocksMax = 1000

/** Opens the feed of one who was admitted. */
export type OpenFeed = (port: SocketPort) => FeedEnd

export type FeedDoor = {
  /** Who may come in, or what to answer instead; never rejects. `client` is who sent `request`. */
  knock(
    request: IncomingMessage,
    target: FeedTarget,
    client: { readonly stream: Duplex; readonly address: string },
  ): Promise<{ readonly open: OpenFeed } | { readonly refusal: RefusalAnswer }>
}

export type FeedDoorDeps = {
  readonly feeds: Pick<ZoneFeeds, 'admit' | 'open' | 'count'>
  readonly worldFeeds: Pick<WorldFeeds, 'admit' | 'open' | 'count'>
  readonly origins: () => OriginRules
  readonly ids: Pick<Ids, 'uuid'>
  readonly log: Log
}

const full = (): AppError =>
  new AppError('unavailable', 'service-unavailable', 'This node has as many feeds as it takes; try again later.', {
    retryAfterSeconds: 5,
  })

export const createFeedDoor = ({ feeds, worldFeeds, origins, ids, log }: FeedDoorDeps): FeedDoor => {
  const turns = createUpgradeTurns()
  let knocks = 0

  const admit = async (target: FeedTarget, knock: FeedKnock): Promise<OpenFeed> => {
    if ('world' in target) {
      const admitted = await worldFeeds.admit({ ...knock, ...target }, origins())
      return (port) => worldFeeds.open(port, admitted)
    }
    const admitted = await feeds.admit({ ...knock, ...target }, origins())
    return (port) => feeds.open(port, admitted)
  }

  return {
    knock: async ({ headers, url = '' }, target, client) => {
      const requestId = requestIdOf(headers['x-request-id'], ids)
      knocks += 1
      try {
        if (feeds.count() + worldFeeds.count() >= feedsMax || knocks > knocksMax) throw full()
        return { open: await turns.take(client, () => admit(target, { headers, requestId })) }
      } catch (error) {
        if (!(error instanceof AppError)) log.error({ err: error, requestId }, 'an upgrade to a feed failed')
        else if (error.cause !== undefined) log.warn({ cause: error.cause, requestId }, 'an upgrade to a feed was not checked')
        return { refusal: createRefusalAnswer(error, url.split('?', 1)[0] ?? '', requestId) }
      } finally {
        knocks -= 1
      }
    },
  }
}
