import { type FeedBlock, openZoneFeed, type ZoneFeed, type ZoneFeedEvents } from '../../../../sdk/admin.ts'
import { ConnectionLostError, ProblemError } from '../../../../sdk/auth.ts'
import { session } from '../../../state/session.ts'
import { words } from '../words.ts'

export type EditedZone = ReturnType<ZoneFeed['zone']>

export type Inside = Pick<ZoneFeedEvents['playerEntered'], 'playerId' | 'displayName' | 'position'>

/** Why the feed is down. */
export type FeedTrouble = { readonly kind: 'opening' | 'lost' | 'deleted' } | { readonly kind: 'refused'; readonly text: string }

type Options = {
  readonly id: string
  /** The zone, at first and on every change. `isFresh` if blocks may have changed without an event. */
  readonly onZone: (zone: EditedZone, isFresh: boolean) => void
  readonly onBlocks: (edits: readonly FeedBlock[]) => void
  readonly onPlayers: (inside: readonly Inside[]) => void
  readonly onTrouble: (trouble: FeedTrouble | undefined) => void
}

/** Follows a zone through its feed. Reconnects until closed or the zone is deleted. */
export type FollowedZone = {
  /** Rejects like `ZoneFeed.edit`. */
  edit(edits: readonly FeedBlock[]): ReturnType<ZoneFeed['edit']>
  close(): void
}

const retryMs = 3_000

export const followZone = ({ id, onZone, onBlocks, onPlayers, onTrouble }: Options): FollowedZone => {
  const over = new AbortController()
  const inside = new Map<string, Inside>()
  let feed: ZoneFeed | undefined
  let timer: ReturnType<typeof setTimeout> | undefined

  const listen = (opened: ZoneFeed): void => {
    const meet = (one: Inside): void => {
      inside.set(one.playerId, one)
      onPlayers([...inside.values()])
    }
    opened.on('zone', ({ zone, reset }) => {
      if (reset) inside.clear()
      onZone(zone, reset === true)
    })
    opened.on('blocks', ({ edits }) => onBlocks(edits))
    opened.on('playerEntered', meet)
    opened.on('playerMoved', ({ playerId, position }) => {
      const known = inside.get(playerId)
      if (known !== undefined) meet({ ...known, position })
    })
    opened.on('playerLeft', ({ playerId }) => {
      inside.delete(playerId)
      onPlayers([...inside.values()])
    })
    opened.on('state', (state) => {
      if (over.signal.aborted) return
      if (state.name !== 'ended') onTrouble(state.name === 'live' ? undefined : { kind: 'lost' })
      else if (state.reason === 'zone-deleted') onTrouble({ kind: 'deleted' })
      else retry({ kind: 'refused', text: state.text })
    })
    inside.clear()
    onPlayers([])
    onZone(opened.zone(), true)
    onTrouble(undefined)
  }
  const retry = (why: FeedTrouble): void => {
    feed = undefined
    onTrouble(why)
    timer = setTimeout(() => void open(), retryMs)
  }
  const open = async (): Promise<void> => {
    const current = session.peek()
    if (!('me' in current)) return
    try {
      const opened = await openZoneFeed(current.me, id, { signal: over.signal })
      if (over.signal.aborted) return opened.close()
      feed = opened
      listen(opened)
    } catch (error) {
      if (over.signal.aborted) return
      if (error instanceof ProblemError && error.problem.status === 404) onTrouble({ kind: 'deleted' })
      else if (error instanceof ProblemError) retry({ kind: 'refused', text: error.problem.detail ?? error.problem.title })
      else retry({ kind: 'lost' })
    }
  }
  void open()
  return {
    edit: async (edits) => {
      if (feed === undefined) throw new ConnectionLostError(words.editor.notLive)
      return feed.edit(edits)
    },
    close: () => {
      over.abort()
      clearTimeout(timer)
      feed?.close()
    },
  }
}
