import { AppError } from '../../shared/kernel/errors.ts'
import { isUuid } from '../../shared/kernel/ids.ts'
import type { GameZone } from '../zones/game-zone.ts'
import type { CommandContext } from './command.ts'

const candidatesShown = 10
/** Fewer characters of an id are more likely a word. */
const prefixMin = 4

const fold = (name: string): string => name.trim().normalize('NFC').toLowerCase()

/** The zones of this node's world; throws `unavailable` until they were read. */
export const listGameZones = ({ gameZones }: Pick<CommandContext, 'gameZones'>): Iterable<GameZone> => {
  if (gameZones.isKnown()) return gameZones.list()
  throw new AppError('unavailable', 'service-unavailable', 'The zones of this world could not be read yet; try again.', {
    retryAfterSeconds: 2,
  })
}

/**
 * The id of a zone. A whole id names one of any world. A name, letter case aside, or the beginning of an id names one of this node's.
 * Throws `not-found`, and `conflict` with the candidates.
 */
export const getNamedZoneId = (context: Pick<CommandContext, 'gameZones'>, named: string): string => {
  const wanted = fold(named)
  if (isUuid(wanted)) return wanted
  const found = Array.from(listGameZones(context)).filter(
    ({ id, name }) => fold(name) === wanted || (wanted.length >= prefixMin && id.startsWith(wanted)),
  )
  const [only, ...others] = found
  if (only === undefined)
    throw new AppError(
      'not-found',
      'not-found',
      'No zone of this world has that name or an id that begins so; see /zones. One of another world is named by its whole id.',
    )
  if (others.length === 0) return only.id
  const shown = found.slice(0, candidatesShown).map(({ id, name }) => `"${name}" (${id})`)
  throw new AppError('conflict', 'conflict', `Several zones are called so; use the id. They are: ${shown.join(', ')}.`)
}
