import type { NodePresence } from '../../shared/domain/presence/presence.ts'
import type { Session } from './session.ts'
import type { SessionKeeper } from './session-keeper.ts'

/** Every session of this node, connected or waiting to be resumed. */
export type Sessions = {
  find(playerId: string): Session | undefined
  findByResumeHash(hash: string): Session | undefined
  all(): Iterable<Session>
  add(session: Session): void
  remove(session: Session): void
  setResumeHash(session: Session, hash: string): void
  /** Its connection is lost; the oldest of these are first to go. */
  markDetached(session: Session): void
  markAttached(session: Session): void
  /** Its player may have another name than before. */
  noteName(session: Session): void
  /** Those that wait for their player, longest waiting first. */
  detached(): Iterable<Session>
  count(): { readonly connected: number; readonly detached: number }
}

/** Is told of each session whose player has a connection. */
export type SessionFollower = Pick<NodePresence, 'leave'> & {
  enter(playerId: string, displayName: string, isVerified: boolean): void
  /** Somebody who is connected may have another name than before. */
  readonly rename: NodePresence['enter']
}

/** Sessions that tell `follower` of each whose player has a connection, and `keeper` of each that is to outlive the node. */
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
