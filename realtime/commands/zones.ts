import { knownCommand } from '../../shared/domain/permissions/known-commands.ts'
import { chunkBlocks } from '../../shared/rules/positions.ts'
import type { GameZone } from '../zones/game-zone.ts'
import type { Command, CommandContext, Position } from './command.ts'
import { listGameZones } from './find-zone.ts'

/** The first `count` items in the order of `compare`, without sorting the others. */
const firstOf = <T>(items: Iterable<T>, count: number, compare: (one: T, other: T) => number): T[] => {
  const first: T[] = []
  for (const item of items) {
    const last = first.at(-1)
    if (first.length === count && last !== undefined && compare(item, last) >= 0) continue
    const place = first.findIndex((other) => compare(item, other) < 0)
    first.splice(place < 0 ? first.length : place, 0, item)
    if (first.length > count) first.pop()
  }
  return first
}

/** A longer list would be hard to read. */
const zonesShown = 20

type Near = { readonly zone: GameZone; readonly blocks: number }

const beyond = (value: number, min: number, max: number): number => Math.max(min - value, value - max, 0)

/** The distance to the box around all of its columns. */
const distanceTo = ({ box, yMin, yMax }: GameZone, { x, y, z }: Position): number =>
  Math.hypot(
    beyond(x, box.minCx * chunkBlocks, (box.maxCx + 1) * chunkBlocks),
    beyond(y, yMin, yMax + 1),
    beyond(z, box.minCz * chunkBlocks, (box.maxCz + 1) * chunkBlocks),
  )

const isBefore = (one: GameZone, other: GameZone): number =>
  one.name === other.name ? (one.id < other.id ? -1 : 1) : one.name < other.name ? -1 : 1

const plural = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`

const describe = ({ zone, blocks }: Near, isNear: boolean): string => {
  const { id, name, yMin, yMax, chunks, enabled } = zone
  const distance = blocks < 1 ? ['here'] : [plural(Math.round(blocks), 'block'), 'away']
  const parts = [
    `y ${yMin} to ${yMax}`,
    plural(chunks.length, 'chunk'),
    enabled ? 'on' : 'off',
    ...(isNear ? [distance.join(' ')] : []),
  ]
  return `"${name}": ${parts.join(', ')} (${id})`
}

const findPosition = ({ live }: CommandContext, playerId: string | undefined): Position | undefined =>
  playerId === undefined ? undefined : live?.listPlayers().find((player) => player.playerId === playerId)?.position

/** `/zones`: the number of zones in this world, and the nearest of them. Callers outside the game get the first by name. */
export const zones: Command = {
  ...knownCommand('zones'),
  description: 'Lists the zones of this world, nearest first.',
  forms: [[]],
  run: (context, { playerId }) => {
    const all = Array.from(listGameZones(context))
    const position = findPosition(context, playerId)
    const isNear = position !== undefined
    const candidates = all.map((zone): Near => ({ zone, blocks: isNear ? distanceTo(zone, position) : 0 }))
    const shown = firstOf(candidates, zonesShown, (one, other) => one.blocks - other.blocks || isBefore(one.zone, other.zone))
    const more = all.length > shown.length ? `, the ${isNear ? 'nearest' : 'first'} ${shown.length} of them` : ''
    const count = `${plural(all.length, 'zone')} in this world${more}`
    const data = shown.map(({ zone: { chunks, id, name, yMin, yMax, enabled } }) => ({
      id,
      name,
      yMin,
      yMax,
      enabled,
      chunks: chunks.length,
    }))
    return {
      ok: true,
      text: [`${count}${all.length === 0 ? '.' : ':'}`, ...shown.map((near) => describe(near, isNear))].join('\n'),
      data: { count: all.length, zones: data },
    }
  },
}
