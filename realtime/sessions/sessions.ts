import type { NodePresence } from '../../shared/domain/presence/presence.ts'
import type { Session } from './session.ts'
import type { SessionKeeper } from './session-keeper.ts'

/** All sessions of this node, connected or waiting to be resumed. */
export type Sessions = {
  find(playerId: string): Session | undefined
  findByResumeHash(hash: string): Session | undefined
  all(): Iterable<Session>
  add(session: Session): void
  remove(session: Session): void
  setResumeHash(session: Session, hash: string): void
  /** The connection is lost. The oldest of these sessions end first. */
  markDetached(session: Session): void
  markAttached(session: Session): void
  /** The player may have been renamed. */
  noteName(session: Session): void
  /** The sessions that wait to be resumed, longest waiting first. */
  detached(): Iterable<Session>
  count(): { readonly connected: number; readonly detached: number }
}

/** Follows the sessions with a connected player. */
export type SessionFollower = Pick<NodePresence, 'leave'> & {
  enter(playerId: string, displayName: string, isVerified: boolean): void
  /** A connected player may have been renamed. */
  readonly rename: NodePresence['enter']
}

/** Reports sessions with a connected player to `follower`, and sessions to store to `keeper`. */
export const createSessions = (follower: SessionFollower, keeper: Pick<SessionKeeper, 'keep' | 'end'>): Sessions => {
  const byPlayer = new Map<string, Session>()
  const byResumeHash = new Map<string, Session>()
  const detached = new Set<Session>()
  return {
    find: (playerId) => byPlayer.get(playerId),
    findByResumeHash: (hash) => byResumeHash.get(hash),
    all: () => byPlayer.values(),
    add: (session) => {
      byPlayer.set(session.account.playerId, session)
    },
    remove: (session) => {
      byPlayer.delete(session.account.playerId)
      byResumeHash.delete(session.resumeHash)
      detached.delete(session)
      follower.leave(session.account.playerId)
      keeper.end(session)
    },
    setResumeHash: (session, hash) => {
      byResumeHash.delete(session.resumeHash)
      session.resumeHash = hash
      byResumeHash.set(hash, session)
    },
    markDetached: (session) => {
      detached.add(session)
      follower.leave(session.account.playerId)
      keeper.keep(session)
    },
    markAttached: (session) => {
      detached.delete(session)
      follower.enter(session.account.playerId, session.account.displayName, session.verified)
      keeper.keep(session)
    },
    noteName: (session) => {
      if (!detached.has(session)) follower.rename(session.account.playerId, session.account.displayName)
    },
    detached: () => detached,
    count: () => ({ connected: byPlayer.size - detached.size, detached: detached.size }),
  }
}
