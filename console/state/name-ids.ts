import { learnNames, nameOf } from './player-names.ts'
import { learnZones, zoneNameOf } from './zone-names.ts'

const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const ids = new RegExp(uuid, 'g')
/** An id after a name says nothing new. */
const idsAfterNames = new RegExp(` \\(${uuid}\\)`, 'g')

/** A text of the server with the names of zones and players instead of their ids, as far as loaded. */
export const nameIds = (text: string): string =>
  text.replaceAll(idsAfterNames, '').replaceAll(ids, (id) => zoneNameOf(id) ?? nameOf(id))

/** Loads the names of the zones and players that a text has by their ids. Without them, the ids are shown. */
export const learnIds = async (text: string, signal: AbortSignal): Promise<void> => {
  const found = text.replaceAll(idsAfterNames, '').match(ids) ?? []
  await learnZones(found, signal)
  const others = found.filter((id) => typeof zoneNameOf(id) !== 'string')
  await learnNames(others, signal).catch(() => undefined)
}
