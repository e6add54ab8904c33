import type { ActiveSanctions } from '../../../shared/domain/sanctions/active/follow-sanctions.ts'
import type { SessionConnection } from '../../sessions/session.ts'
import { bannedBecause } from '../../socket/closing.ts'
import type { FeedEnd } from '../feed-socket.ts'
import { feedBanned } from './feed-closing.ts'

type OpenSockets = {
  readonly connections: Iterable<SessionConnection>
  /** Feeds with their client addresses. */
  readonly feeds: Iterable<readonly [FeedEnd, string]>
  readonly activeSanctions: Pick<ActiveSanctions, 'findAddressBan'>
}

/** Closes player connections and feeds from banned addresses. */
export const closeBanned = ({ connections, feeds, activeSanctions }: OpenSockets): void => {
  for (const connection of [...connections]) {
    const ban = connection.address === undefined ? undefined : activeSanctions.findAddressBan(connection.address)
    if (ban !== undefined) connection.close(bannedBecause(ban))
  }
  for (const [feed, address] of [...feeds]) {
    const ban = activeSanctions.findAddressBan(address)
    if (ban !== undefined) feed.close(feedBanned(ban))
  }
}
