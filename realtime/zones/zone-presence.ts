import type { ServerMessageKind } from '../protocol/messages.ts'
import type { GameZones } from './game-zones.ts'

/** Somebody who may stand in a zone, as far as it matters here. */
export type ZoneVisitor = {
  readonly body: { readonly x: number; readonly y: number; readonly z: number }
  readonly connection: { send(message: ServerMessageKind): void } | undefined
  readonly zone: ZonePresence
}

/** Where a player was looked up, and what their client was told. Flat: it is touched in every tick. */
export type ZonePresence = {
  /** The column and height of the block at their feet. */
  cx: number
  cz: number
  y: number
  /** Of the zones; -1 before the first look. */
  revision: number
  toldId: string
  toldName: string
  /** Who was told: another connection knows of nothing. */
  connection: ZoneVisitor['connection']
}

/** Of somebody who was told nothing. Written out: an object put together by spreading takes thirty times as long to read. */
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
  /** Once a tick, after everybody has moved and come in: tells each client when its player stands in another zone than before. */
  step(): void
}

export type ZonePresencesDeps<Visitor extends ZoneVisitor> = {
  readonly zones: Pick<GameZones, 'isKnown' | 'zoneAt' | 'find' | 'revision'>
  readonly listVisitors: () => Iterable<Visitor>
  /** Called for whoever stands in another zone than before, or in none. */
  readonly moved?: (visitor: Visitor) => void
}

const startOver = (presence: ZonePresence, connection: ZoneVisitor['connection']): void => {
  presence.connection = connection
  presence.revision = -1
  presence.toldId = ''
  presence.toldName = ''
}

/** Players stand in the zone of the block at their feet. A zone under another name is entered again, and not left. */
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
