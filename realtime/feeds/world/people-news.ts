import type { Clock } from '../../../shared/kernel/clock.ts'
import { createFrame } from '../../protocol/web-socket-frame.ts'
import type { LookRound, RoundPlayer } from './look-round.ts'
import type { FeedChatLine, FeedName, WorldFeedEvent } from './world-messages.ts'

/** The chat lines and the joins and leaves of one round. All readers get the same frames. */
export type PeopleNews = {
  /** For readers that have been served before. */
  readonly frames: readonly Buffer[]
  /** For new readers: the last chat lines. */
  readonly recent: () => Buffer
}

/** The number of lines for a new reader. */
const linesRemembered = 50

const frame = (event: WorldFeedEvent): Buffer => createFrame(Buffer.from(JSON.stringify(event)), 'text')

const nameOf = ({ playerId, displayName }: RoundPlayer): FeedName => ({ playerId, displayName })

export type SaidLine = Omit<FeedChatLine, 'at' | 'by'> & { readonly by?: string | undefined }

type PeopleNewsDeps = {
  readonly clock: Pick<Clock, 'now'>
  readonly nextSeq: () => number
  readonly lastSeq: () => number
}

/** Collects chat lines between rounds. */
export const createPeopleNews = ({ clock, nextSeq, lastSeq }: PeopleNewsDeps) => {
  let fresh: FeedChatLine[] = []
  let recent: FeedChatLine[] = []

  const takeChat = (): readonly Buffer[] => {
    if (fresh.length === 0) return []
    const lines = fresh
    fresh = []
    recent = [...recent, ...lines].slice(-linesRemembered)
    return [frame({ type: 'chat', lines, seq: nextSeq() })]
  }

  const listMoves = (look: LookRound): readonly Buffer[] => {
    const joined: FeedName[] = []
    const left: FeedName[] = []
    if (look.hasChanges)
      for (const player of look.all()) {
        if (player.before === undefined) joined.push(nameOf(player))
        else if (player.now === undefined) left.push(nameOf(player))
      }
    return [
      ...(joined.length === 0 ? [] : [frame({ type: 'joined', players: joined, seq: nextSeq() })]),
      ...(left.length === 0 ? [] : [frame({ type: 'left', players: left, seq: nextSeq() })]),
    ]
  }

  return {
    say: (lines: readonly SaidLine[]): void => {
      const at = new Date(clock.now()).toISOString()
      for (const { channel, from, by, text } of lines) {
        const line: FeedChatLine = { at, channel, from, text }
        fresh.push(by === undefined ? line : { ...line, by })
      }
    },
    /**
     * The news since the last call. `look` is undefined if the previous round did not record players, because all players would
     * appear new.
     */
    take: (look: LookRound | undefined): PeopleNews => {
      const frames = [...takeChat(), ...(look === undefined ? [] : listMoves(look))]
      const lines = recent
      const seq = lastSeq()
      let made: Buffer | undefined
      return {
        frames,
        recent: () => {
          made ??= frame({ type: 'chat', lines, seq, reset: true })
          return made
        },
      }
    },
  }
}
