import { protocolVersion, type ServerMessageKind } from '../protocol/frames.ts'
import type { Timers } from '../timers.ts'
import { type Credential, decideNext } from './decide-next.ts'
import type { Attempt, Report } from './keep-connected.ts'
import { type Link, openLink } from './link.ts'
import { waitBefore } from './next.ts'
import type { SocketConstructor } from './socket.ts'

type GameLinksOptions = {
  /** Base address that the player gave. */
  readonly url: string
  /** The world to play in. Without one, the address decides. */
  readonly world: string | undefined
  readonly WebSocket: SocketConstructor
  readonly clientName: string
  readonly timers: Timers
  readonly onMessage: (message: ServerMessageKind) => void
}

/** The successive connections of one session: its current address, and the token that resumes it. */
export const createGameLinks = ({ url: named, world, WebSocket, clientName, timers, onMessage }: GameLinksOptions) => {
  const path = world === undefined ? '/realtime' : `/realtime?world=${world}`
  let link: Link | undefined
  let url = named
  let resumeToken: string | undefined

  const openAt = ({ token, isFresh }: Attempt, { live, lost }: Report): Link => {
    const spent = resumeToken
    const opened: Credential = spent !== undefined ? 'resume-token' : isFresh ? 'fresh-token' : 'token'
    // Each can be used once.
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
        // If no connection was accepted, the address that the player gave is the better one.
        url = next.url ?? (wasLive ? url : named)
        // Retries a token that the server may not have received.
        if (!('over' in next) && next.wait !== 'none') resumeToken ??= spent
        lost(next, end.error)
      },
    })
    return link
  }
  /**
   * The browser may refuse an address from the server: Safari throws for an address that the policy of the page does not list.
   */
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
