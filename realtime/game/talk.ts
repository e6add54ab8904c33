import type { Whisper, Whispered } from '../links/players-elsewhere.ts'
import type { Game } from './game.ts'

/** Lines of others that a player is shown in a second: a crowd that writes to one fills no buffer. */
const whispersPerSecond = 20

/** Shows the player a line, unless they ignore who writes, which is not told. Within a tick. */
export const hearWhisper = ({ sessions, nowMs }: Game, playerId: string, { fromId, from, text }: Whisper): Whispered => {
  const session = sessions.find(playerId)
  if (session?.connection === undefined) return 'absent'
  if (session.ignored.has(fromId)) return 'told'
  const { whispers } = session
  if (nowMs() - whispers.sinceMs >= 1_000) Object.assign(whispers, { sinceMs: nowMs(), count: 0 })
  if (whispers.count >= whispersPerSecond) return 'busy'
  whispers.count += 1
  session.lastWhisper = { playerId: fromId, displayName: from }
  session.connection.send({ $case: 'notice', value: { severity: 'info', kind: 'whisper', text: `${from} whispers: ${text}` } })
  return 'told'
}

/** Shows everybody on this node a notice. Within a tick. */
export const announceHere = ({ broadcasts }: Game, text: string): void =>
  broadcasts.send({ $case: 'notice', value: { severity: 'info', kind: 'announcement', text } })
