import type { ServerConfig } from '../../../shared/domain/configs/server/server-config.ts'
import { hashSecret } from '../../../shared/kernel/ids.ts'
import { restartMoveSeq } from '../../../shared/rules/movement/move-budget.ts'
import { cellRadius } from '../../interest/cells.ts'
import { createViewer } from '../../interest/viewer.ts'
import type { Session, SessionConnection } from '../../sessions/session.ts'
import { type Closing, closings } from '../../socket/closing.ts'
import type { Game } from '../game.ts'
import type { FailedSignInNotices } from './failed-sign-in-notices.ts'
import type { Refs } from './refs.ts'
import type { Warnings } from './warnings.ts'
import { createWelcome, type WelcomeFacts } from './welcome.ts'

/** The connections of sessions. */
export type Attachments = {
  /** Connects a session, replaces its previous connection, and sends Welcome with a new resume token. */
  attach(session: Session, connection: SessionConnection): void
  /** The connection is lost. The session waits for its player. */
  detach(connection: SessionConnection): void
  end(session: Session, closing: Closing): void
  /** Ends sessions that have waited too long, unless their player is about to be admitted. */
  expire(nowMs: number, isAwaited: (resumeHash: string) => boolean): void
}

export type AttachmentsDeps = {
  readonly game: Game
  readonly refs: Refs
  readonly settings: () => ServerConfig['realtime']
  readonly facts: () => WelcomeFacts
  readonly warnings: Pick<Warnings, 'tell'>
  readonly failures: FailedSignInNotices
}

export const createAttachments = ({ game, refs, settings, facts, warnings, failures }: AttachmentsDeps): Attachments => {
  const { interest, sessions, world, modules } = game

  const release = (session: Session): SessionConnection | undefined => {
    const { connection, viewer, chunkView } = session
    if (viewer !== undefined) interest.removeViewer(viewer)
    if (chunkView !== undefined) world.streaming.close(chunkView)
    if (connection !== undefined) connection.session = undefined
    session.viewer = undefined
    session.chunkView = undefined
    session.connection = undefined
    return connection
  }

  const end = (session: Session, closing: Closing): void => {
    const connection = release(session)
    world.places.leave(session.body)
    interest.removeBody(session.body)
    refs.release(session.body.ref)
    sessions.remove(session)
    modules.noteZone(session)
    // A player that a module refused was never in the game.
    if (session.resumeHash !== '') modules.note('left', session, (player) => ({ player, reason: closing.code }))
    modules.leave(session)
    connection?.close(closing)
  }

  return {
    attach: (session, connection) => {
      release(session)?.close(closings.displaced)
      const isResumed = session.resumeHash !== ''
      const resumeToken = game.ids.secret()
      sessions.setResumeHash(session, hashSecret(resumeToken))
      sessions.markAttached(session)
      restartMoveSeq(session.moves)
      connection.session = session
      session.connection = connection
      session.connectedAt = game.clock.now()
      game.access.welcome(session)
      connection.send({ $case: 'welcome', value: createWelcome(session, resumeToken, facts()) })
      warnings.tell(session)
      failures.tell(session)
      session.viewer = createViewer(session.body, connection, cellRadius(session.viewRadius))
      interest.addViewer(session.viewer)
      const { body, viewRadius } = session
      if (viewRadius > 0) session.chunkView = world.streaming.open({ body, sink: connection, viewRadius })
      connection.admit()
      modules.note('joined', session, (player) => ({ player, isResumed }))
    },
    detach: (connection) => {
      const { session } = connection
      if (session === undefined) return
      release(session)
      world.places.note(session.body)
      session.detachedAtMs = game.nowMs()
      sessions.markDetached(session)
    },
    end,
    expire: (nowMs, isAwaited) => {
      const lostSinceMs = nowMs - settings().resumeSeconds * 1000
      for (const session of sessions.detached()) {
        if (session.detachedAtMs > lostSinceMs) return
        if (!isAwaited(session.resumeHash)) end(session, closings.left)
      }
    },
  }
}
