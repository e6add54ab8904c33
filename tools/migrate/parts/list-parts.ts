import { type WorldRecord, worldRecords } from '../../../shared/domain/worlds/world.ts'
import type { SourcePlace } from '../places/place.ts'
import { accountsPart } from './accounts-part.ts'
import { columnsPart } from './columns-part.ts'
import { configParts } from './configs-parts.ts'
import { lastingCollections, type Part } from './part.ts'
import { listRecords, recordsPart } from './records-part.ts'
import { setAsidePart } from './set-aside-part.ts'
import { sidePart } from './side-part.ts'

/** The worlds of a place, by name. */
export const listWorlds = async ({ store }: Pick<SourcePlace, 'store'>): Promise<readonly WorldRecord[]> => {
  const worlds: WorldRecord[] = []
  for await (const { value } of listRecords(store, worldRecords)) worlds.push(value)
  return worlds
}

/** All parts, in the order of the move: the record of a world comes after its data. */
export const listParts = (worlds: readonly WorldRecord[]): readonly Part[] => [
  ...configParts,
  accountsPart,
  ...worlds.flatMap((world) => [setAsidePart(world), columnsPart(world), sidePart(world)]),
  ...lastingCollections.map(recordsPart),
]
