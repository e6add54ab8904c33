import type { Attack } from './attack.ts'
import { amplify, docsBurst, hashQueue, unreadListings } from './attacks/bursts.ts'
import { fragments, giants, messages, pings, pongs, wrongProtocol } from './attacks/frames.ts'
import { chatFlood, commandFlood, farEdits, fastMoves } from './attacks/players.ts'
import { escapedBodies, logins, unknownKeyBodies } from './attacks/requests.ts'
import {
  feedAbuse,
  forgedResumes,
  halfOpen,
  idleSockets,
  reconnects,
  slowBodies,
  slowHeads,
  slowReaders,
  upgrades,
} from './attacks/sockets.ts'

/** Every kind of hostile client; a new one is one value and one line here. */
export const attacks: readonly Attack[] = [
  ...[slowReaders, slowHeads, slowBodies, halfOpen, idleSockets, upgrades, reconnects, forgedResumes, feedAbuse],
  ...[pings, pongs, messages, fragments, giants, wrongProtocol],
  ...[farEdits, fastMoves, chatFlood, commandFlood],
  ...[logins, unknownKeyBodies, escapedBodies],
  ...[docsBurst, unreadListings, amplify, hashQueue],
]
