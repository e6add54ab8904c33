import type { Whisper, Whispered } from '../links/players-elsewhere.ts'
import type { Game } from './game.ts'

/** The maximum number of whispers to one player per second. It protects the buffer of the player. */
const whispersPerSecond = 20

/** Shows a whisper to the player unless the player ignores the sender. The result does not reveal that. Call it within a tick. */
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

/** Sends a notice to all players of this node. Call it within a tick. */
export const announceHere = ({ broadcasts }: Game, text: string): void =>
  broadcasts.send({ $case: 'notice', value: { severity: 'info', kind: 'announcement', text } })
