import { AppError } from '../../shared/kernel/errors.ts'
import { isUuid } from '../../shared/kernel/ids.ts'
import type { GameZone } from '../zones/game-zone.ts'
import type { CommandContext } from './command.ts'

const candidatesShown = 10
/** A shorter text is more likely a word than the start of an id. */
const prefixMin = 4

const fold = (name: string): string => name.trim().normalize('NFC').toLowerCase()

/** The zones of this node's world. Throws `unavailable` until they are read. */
export const listGameZones = ({ gameZones }: Pick<CommandContext, 'gameZones'>): Iterable<GameZone> => {
  if (gameZones.isKnown()) return gameZones.list()
  throw new AppError('unavailable', 'service-unavailable', 'The zones of this world are not loaded yet. Try again in a moment.', {
    retryAfterSeconds: 2,
  })
}

/**
 * The id of a zone. A full id may be in any world. A name (ignoring letter case) or the start of an id must be in this world.
 * Throws `not-found`, or `conflict` with the candidates.
 */
export const getNamedZoneId = (context: Pick<CommandContext, 'gameZones'>, named: string): string => {
  const folded = fold(named)
  if (isUuid(folded)) return folded
  const found = Array.from(listGameZones(context)).filter(
    ({ id, name }) => fold(name) === folded || (folded.length >= prefixMin && id.startsWith(folded)),
  )
  const [only, ...others] = found
  if (only === undefined)
    throw new AppError(
      'not-found',
      'not-found',
      'No zone of this world has that name or id. Use /zones to list them, or give the full id of a zone of another world.',
    )
  if (others.length === 0) return only.id
  const shown = found.slice(0, candidatesShown).map(({ id, name }) => `"${name}" (${id})`)
  throw new AppError('conflict', 'conflict', `Several zones have that name. Use the id of one of them:  ${shown.join(', ')}.`)
}
