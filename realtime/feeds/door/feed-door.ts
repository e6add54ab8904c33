import type { IncomingMessage } from 'node:http'
import { AppError } from '../../../shared/kernel/errors.ts'
import type { Ids } from '../../../shared/kernel/ids.ts'
import { requestIdOf } from '../../../shared/kernel/ids.ts'
import type { Log } from '../../../shared/kernel/log.ts'
import { createRefusalAnswer, type RefusalAnswer } from '../../socket/refuse-upgrade.ts'
import type { ZoneFeeds } from '../zone-feeds.ts'
import type { AdmittedFeed } from './authenticate-feed.ts'
import type { OriginRules } from './is-own-origin.ts'

/** Feeds of one node, and upgrades that are being checked at the same time. */
const feedsMax = 1000
const knocksMax = 100

export type FeedDoor = {
  /** Who may come in, or what to answer instead; never rejects. */
  knock(
    request: IncomingMessage,
    zoneId: string,
  ): Promise<{ readonly admitted: AdmittedFeed } | { readonly refusal: RefusalAnswer }>
}

export type FeedDoorDeps = {
  readonly feeds: Pick<ZoneFeeds, 'admit' | 'count'>
  readonly origins: () => OriginRules
  readonly ids: Pick<Ids, 'uuid'>
  readonly log: Log
}

const full = (): AppError =>
  new AppError('unavailable', 'service-unavailable', 'This node has as many feeds as it takes; try again later.', {
    retryAfterSeconds: 5,
  })

export const createFeedDoor = ({ feeds, origins, ids, log }: FeedDoorDeps): FeedDoor => {
  let knocks = 0
  return {
    knock: async ({ headers, url = '' }, zoneId) => {
      const requestId = requestIdOf(headers['x-request-id'], ids)
      knocks += 1
      try {
        if (feeds.count() >= feedsMax || knocks > knocksMax) throw full()
        return { admitted: await feeds.admit({ zoneId, headers, requestId }, origins()) }
      } catch (error) {
        if (!(error instanceof AppError)) log.error({ err: error, requestId }, 'an upgrade to a feed failed')
        else if (error.kind === 'unavailable') log.warn({ cause: error.cause, requestId }, 'an upgrade to a feed was not checked')
        return { refusal: createRefusalAnswer(error, url.split('?', 1)[0] ?? '', requestId) }
      } finally {
        knocks -= 1
      }
    },
  }
}
