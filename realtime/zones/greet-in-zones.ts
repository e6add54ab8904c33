import type { ServerMessageKind } from '../protocol/messages.ts'
import type { GameZones } from './game-zones.ts'

/** A player, as far as zones need it. */
export type ZoneVisitor = {
  readonly body: { readonly x: number; readonly y: number; readonly z: number }
  readonly connection: { send(message: ServerMessageKind): void } | undefined
  readonly zone: ZonePresence
}

/** The last position of a player and the zone that the client knows. Flat, because each tick reads it. */
export type ZonePresence = {
  /** The column and height of the block at the player's feet. */
  cx: number
  cz: number
  y: number
  /** The revision of the zones. -1 before the first check. */
  revision: number
  toldId: string
  toldName: string
  /** The connection that knows the zone. A new connection knows none. */
  connection: ZoneVisitor['connection']
}

/** A presence whose client knows no zone. Written out: an object from a spread would be thirty times slower to read. */
export const createZonePresence = (): ZonePresence => ({
  cx: 0,
  cz: 0,
  y: 0,
  revision: -1,
  toldId: '',
  toldName: '',
  connection: undefined,
})

export type ZonePresences = {
  /** Once a tick, after all moves and joins: informs clients whose player is in another zone now. */
  step(): void
}

export type ZonePresencesDeps<Visitor extends ZoneVisitor> = {
  readonly zones: Pick<GameZones, 'isKnown' | 'zoneAt' | 'find' | 'revision'>
  readonly listVisitors: () => Iterable<Visitor>
  /** Called for a player who is in another zone now, or in none. */
  readonly moved?: (visitor: Visitor) => void
}

const startOver = (presence: ZonePresence, connection: ZoneVisitor['connection']): void => {
  presence.connection = connection
  presence.revision = -1
  presence.toldId = ''
  presence.toldName = ''
}

/** A player is in the zone of the block at the feet. A renamed zone is entered again, but not left. */
export const createZonePresences = <Visitor extends ZoneVisitor>({
  zones,
  listVisitors,
  moved,
}: ZonePresencesDeps<Visitor>): ZonePresences => {
  const tell = (visitor: Visitor): void => {
    const { body, connection, zone: presence } = visitor
    const { id = '', name = '' } = zones.zoneAt(Math.floor(body.x), presence.y, Math.floor(body.z)) ?? {}
    const { toldId, toldName } = presence
    if (id === toldId && name === toldName) return
    presence.toldId = id
    presence.toldName = name
    const value = {
      ...(id === '' ? {} : { entered: { id, name } }),
      ...(toldId === '' || toldId === id ? {} : { left: { id: toldId } }),
    }
    connection?.send({ $case: 'zoneChanged', value })
    const texts = [
      toldId === id ? undefined : zones.find(toldId)?.rules?.farewell,
      toldId === id ? undefined : zones.find(id)?.rules?.greeting,
    ]
    for (const text of texts)
      if (text !== undefined) connection?.send({ $case: 'notice', value: { severity: 'info', kind: 'zone', text } })
    if (toldId !== id) moved?.(visitor)
  }

  return {
    step: () => {
      if (!zones.isKnown()) return
      const revision = zones.revision()
      for (const visitor of listVisitors()) {
        const { body, connection, zone } = visitor
        if (connection === undefined) continue
        if (connection !== zone.connection) startOver(zone, connection)
        const cx = Math.floor(body.x / 16)
        const cz = Math.floor(body.z / 16)
        const y = Math.floor(body.y)
        if (cx === zone.cx && cz === zone.cz && y === zone.y && revision === zone.revision) continue
        zone.cx = cx
        zone.cz = cz
        zone.y = y
        zone.revision = revision
        tell(visitor)
      }
    },
  }
}
