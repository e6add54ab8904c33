import { protocolVersion, type ServerMessageKind } from '../protocol/frames.ts'
import type { Timers } from '../timers.ts'
import { type Credential, decideNext } from './decide-next.ts'
import type { Attempt, Report } from './keep-connected.ts'
import { type Link, openLink } from './link.ts'
import { waitBefore } from './next.ts'
import type { SocketConstructor } from './socket.ts'

type GameLinksOptions = {
  /** Base address that the player named. */
  readonly url: string
  /** The one to play in; the address stands for one where none is named. */
  readonly world: string | undefined
  readonly WebSocket: SocketConstructor
  readonly clientName: string
  readonly timers: Timers
  readonly onMessage: (message: ServerMessageKind) => void
}

/** The connections of one session, one after the other: where the session is, and the secret with which it is resumed. */
export const createGameLinks = ({ url: named, world, WebSocket, clientName, timers, onMessage }: GameLinksOptions) => {
  const path = world === undefined ? '/realtime' : `/realtime?world=${world}`
  let link: Link | undefined
  let url = named
  let resumeToken: string | undefined

  const openAt = ({ token, isFresh }: Attempt, { live, lost }: Report): Link => {
    const spent = resumeToken
    const opened: Credential = spent !== undefined ? 'resume-token' : isFresh ? 'fresh-token' : 'token'
    // Each is good for one use.
    resumeToken = undefined
    let wasLive = false
    link = openLink({
      url,
      path,
      WebSocket,
      hello: { ...(spent === undefined ? { token } : { token: '', resumeToken: spent }), protocolVersion, clientName },
      timers,
      onMessage: (message) => {
        if (message.$case === 'welcome') {
          wasLive = true
          resumeToken = message.value.resumeToken
          live()
        }
        onMessage(message)
      },
      onEnd: (end) => {
        link = undefined
        const next = decideNext(end, url, opened)
        // Where nobody let the player in, the address that the player named is the better one.
        url = next.url ?? (wasLive ? url : named)
        // One that the server may never have seen is tried again.
        if (!('over' in next) && next.wait !== 'none') resumeToken ??= spent
        lost(next, end.error)
      },
    })
    return link
  }
  /** An address that the server named may be one that cannot be opened here: Safari throws for what the policy of a page does not list. */
  const open = (attempt: Attempt, report: Report): Pick<Link, 'drop'> => {
    const spent = resumeToken
    try {
      return openAt(attempt, report)
    } catch (error) {
      if (url === named) throw error
      const text = `${url} cannot be opened from here.`
      url = named
      resumeToken = spent
      report.lost(waitBefore({ reason: 'connection-lost', text }))
      return { drop: () => undefined }
    }
  }
  return { open, link: () => link }
}
