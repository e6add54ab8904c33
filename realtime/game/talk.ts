import type { Announcement } from '../../shared/domain/players/announcement.ts'
import { chunkCoordinate, chunkKey } from '../../shared/rules/positions.ts'
import type { Whisper, Whispered } from '../node-links/remote-players.ts'
import type { ServerMessageKind } from '../protocol/messages.ts'
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
  session.connection.send({
    $case: 'notice',
    value: { severity: 'info', kind: 'whisper', text: `${from} whispers: ${text}`, from, fromId },
  })
  return 'told'
}

/** Sends a notice to the players of this node in its world and zone, or to all. Call it within a tick. */
export const announceHere = ({ broadcasts, sessions, world }: Game, { text, world: name, zone: id }: Announcement): void => {
  const notice: ServerMessageKind = { $case: 'notice', value: { severity: 'info', kind: 'announcement', text } }
  if (name !== undefined && name !== world.record.name) return
  if (id === undefined) {
    broadcasts.send(notice)
    return
  }
  const zone = world.findZone(id)
  if (zone === undefined) return
  const columns = new Set(zone.chunks.map(({ cx, cz }) => chunkKey(cx, cz)))
  for (const { body, connection } of sessions.all()) {
    const y = Math.floor(body.y)
    if (y < zone.yMin || y > zone.yMax || !columns.has(chunkKey(chunkCoordinate(body.x), chunkCoordinate(body.z)))) continue
    connection?.send(notice)
  }
}
