import { createFrame } from '../../protocol/web-socket-frame.ts'
import type { GameZone } from '../../zones/game-zone.ts'
import type { FeedReader } from '../zone-feed.ts'
import type { PrintedEdit, RoundEdits } from './edit-news.ts'
import { isInside, type LookRound, type RoundPlayer } from './look-round.ts'
import type { PeopleNews } from './people-news.ts'
import { type GroundTile, withFurtherZooms } from './tiles-in-view.ts'
import type { View } from './world-messages.ts'
import { createZonesInView } from './zones-in-view.ts'

/** The state of the world in one round. Each part has a number; zones have the last one. */
export type WorldRound = {
  readonly look: LookRound
  readonly playersSeq: number
  readonly tiles: readonly GroundTile[] | 'any' | undefined
  readonly tilesSeq: number
  /** The number of the last change of a tile. */
  readonly tilesChangedSeq: number
  readonly zones: (() => Iterable<GameZone>) | undefined
  readonly zonesSeq: number
  readonly haveZonesChanged: boolean
  readonly people: PeopleNews
  readonly edits: RoundEdits
  readonly editsSeq: number
  /** Frames about players, by view. Readers with the same view share them. */
  readonly framesByView: Map<string, Buffer | undefined>
  /** Frames about edits, likewise. */
  readonly editFramesByView: Map<string, Buffer | undefined>
}

/** A reader that views a part of the world. */
export type WorldReader = {
  /** Sets the view from the next round on, and whether the reader gets the edits in it. */
  look(view: View, hasEdits: boolean): void
  /** Whether the reader gets edits. */
  hasEdits(): boolean
  /** The client has everything up to the message `since`. */
  resume(since: number): void
  /** Whether the reader has its first view but was not served yet. */
  isNew(): boolean
  /** Sends the round. Called once for each round. */
  serve(round: WorldRound): void
}

type WorldReaderDeps = {
  readonly reader: FeedReader & { isBehind(): boolean }
  readonly printZone: (zone: GameZone) => string
}

type Told = { readonly view: View; readonly key: string }

const frame = (text: string): Buffer => createFrame(Buffer.from(text), 'text')
const resetText = (isReset: boolean): string => (isReset ? ',"reset":true' : '')

const printPlayers = (players: readonly RoundPlayer[], gone: readonly string[], seq: number, isReset: boolean): Buffer =>
  frame(
    `{"type":"players","players":[${players.map(({ json }) => json).join()}],"gone":${JSON.stringify(gone)},"seq":${seq}${resetText(isReset)}}`,
  )

/** The players to send to a reader whose view changed from `before` to `after`. */
const findPlayerNews = (round: Iterable<RoundPlayer>, before: View | undefined, after: View) => {
  const players: RoundPlayer[] = []
  const gone: string[] = []
  for (const player of round) {
    const wasIn = isInside(player.before, before)
    if (isInside(player.now, after)) {
      if (player.isChanged || !wasIn) players.push(player)
    } else if (wasIn) gone.push(player.playerId)
  }
  return { players, gone }
}

const shareOf = (view: View, { look, playersSeq, framesByView }: WorldRound, viewKey: string): Buffer | undefined => {
  const key = look.newsKey(view) ?? viewKey
  if (framesByView.has(key)) return framesByView.get(key)
  const { players, gone } = findPlayerNews(look.changedNear(view), view, view)
  const made = players.length + gone.length === 0 ? undefined : printPlayers(players, gone, playersSeq, false)
  framesByView.set(key, made)
  return made
}

const printEdits = (edits: readonly PrintedEdit[], seq: number, isReset: boolean): Buffer =>
  frame(`{"type":"edits","edits":[${edits.map(({ json }) => json).join()}],"seq":${seq}${resetText(isReset)}}`)

/** The edits of a round in view. Undefined if there are none. */
const editsFor = (
  { edits: { edits, isCut }, editsSeq, editFramesByView }: WorldRound,
  { view, key }: Told,
): Buffer | undefined => {
  if (editFramesByView.has(key)) return editFramesByView.get(key)
  const inView = edits.filter((edit) => isInside(edit, view))
  const made = inView.length === 0 && !isCut ? undefined : printEdits(inView, editsSeq, isCut)
  editFramesByView.set(key, made)
  return made
}

/** A reader stores only its view and the zones that were sent. */
export const createWorldReader = ({ reader, printZone }: WorldReaderDeps): WorldReader => {
  const zones = createZonesInView(printZone)
  let told: Told | undefined
  let wanted: View | undefined
  let since: number | undefined
  let last: WorldRound | undefined
  let wereZonesTold = false
  let areZonesDue = true
  let hasEdits = false
  /** Whether edits were left out since the last message about them. */
  let areEditsMissing = true

  const tellPlayers = (round: WorldRound, before: Told | undefined, { view, key }: Told): void => {
    if (before?.key === key) {
      const shared = round.look.hasChanges ? shareOf(view, round, key) : undefined
      if (shared !== undefined) reader.send(shared)
      return
    }
    const { players, gone } = findPlayerNews(round.look.all(), before?.view, view)
    if (before === undefined || players.length + gone.length > 0)
      reader.send(printPlayers(players, gone, round.playersSeq, before === undefined))
  }

  const tellTiles = ({ tiles, tilesSeq: seq, tilesChangedSeq, zonesSeq: last }: WorldRound, view: View): void => {
    const asked = since
    since = undefined
    const isAny = asked === undefined ? tiles === 'any' : asked < tilesChangedSeq || asked > last
    const inView = asked === undefined && tiles !== 'any' ? (tiles ?? []) : []
    const found = isAny ? undefined : withFurtherZooms(inView, view)
    if (found?.length === 0 && asked === undefined) return
    const answers = asked === undefined ? '' : `,"since":${asked}`
    const list = JSON.stringify(found ?? [])
    reader.send(frame(`{"type":"tiles","tiles":${list},"seq":${seq}${answers}${resetText(found === undefined)}}`))
  }

  const tellZones = (round: WorldRound, view: View): void => {
    if (round.zones === undefined || !(areZonesDue || round.haveZonesChanged)) return
    const news = zones.next(round.zones(), view)
    areZonesDue = !news.isAll
    const isFirst = !wereZonesTold
    if (!isFirst && news.zones.length + news.gone.length === 0) return
    wereZonesTold = true
    const gone = JSON.stringify(news.gone)
    reader.send(
      frame(`{"type":"zones","zones":[${news.zones.join()}],"gone":${gone},"seq":${round.zonesSeq}${resetText(isFirst)}}`),
    )
  }

  const tellEdits = (round: WorldRound, now: Told): void => {
    // A slow reader loses edits, not its connection.
    if (!hasEdits || reader.isBehind()) areEditsMissing = true
    else if (areEditsMissing) {
      areEditsMissing = false
      reader.send(printEdits([], round.editsSeq, true))
    } else {
      const frame = editsFor(round, now)
      if (frame !== undefined) reader.send(frame)
    }
  }

  return {
    look: (view, wantsEdits) => {
      wanted = view
      hasEdits = wantsEdits
    },
    hasEdits: () => hasEdits,
    resume: (from) => {
      since = from
    },
    isNew: () => told === undefined && wanted !== undefined,
    serve: (round) => {
      if (round === last || (told === undefined && wanted === undefined)) return
      last = round
      const before = told
      if (wanted !== undefined) {
        const { minX, minZ, maxX, maxZ } = wanted
        told = { view: wanted, key: `${minX},${minZ},${maxX},${maxZ}` }
        wanted = undefined
        areZonesDue ||= told.key !== before?.key
      }
      if (told === undefined) return
      tellPlayers(round, before, told)
      // A new reader loads its tiles now, so earlier changes do not matter.
      if (before !== undefined || since !== undefined) tellTiles(round, told.view)
      // In the order of their numbers.
      for (const frame of before === undefined ? [round.people.recent()] : round.people.frames) reader.send(frame)
      tellEdits(round, told)
      tellZones(round, told.view)
    },
  }
}
