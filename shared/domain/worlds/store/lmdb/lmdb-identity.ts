import { Type } from '@sinclair/typebox'
import type { Database } from 'lmdb'
import { createParser } from '../../../../kernel/schema.ts'
import type { WorldRef } from '../chunk-store.ts'
import { foreignWorld, worldUnusable } from '../chunk-store-rules.ts'
import { identityKey } from './lmdb-keys.ts'

const format = 'gatehouse chunks'
const formatVersion = 1

const parseFormat = createParser(Type.Object({ format: Type.Literal(format), version: Type.Integer({ minimum: 1 }) }))
const parseIdentity = createParser(Type.Object({ worldId: Type.String(), worldName: Type.String() }))

const parseJson = (bytes: Buffer): unknown => {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return undefined
  }
}

/** Whose chunks an environment holds. */
export type ChunksIdentity = { readonly worldId: string; readonly worldName: string }

/** Throws AppError `unavailable`, naming what was found, unless that is the world's. */
export const checkIdentity = (world: WorldRef, found: ChunksIdentity | undefined): void => {
  if (found === undefined || found.worldId === world.id) return
  throw worldUnusable(
    world,
    'what is stored under its name belongs to another world or another program',
    `Move that away, or restore the right one. It is the world "${found.worldName}" with the id ${found.worldId}, as of an older backup or of another data folder.`,
  )
}

/** Whose chunks these are; undefined while there is nothing; throws AppError `unavailable` when they are of no format that this version knows. */
export const findIdentity = (records: Database<Buffer, Buffer>, world: WorldRef): ChunksIdentity | undefined => {
  const bytes = records.getBinary(identityKey)
  if (bytes === undefined) {
    if (records.getKeysCount({ limit: 1 }) > 0) throw foreignWorld(world)
    return undefined
  }
  const json = parseJson(bytes)
  const found = parseFormat(json)
  if (!found.ok) throw foreignWorld(world)
  if (found.value.version > formatVersion)
    throw worldUnusable(world, 'a newer version of Gatehouse wrote them', 'Run that version or a later one.')
  const identity = parseIdentity(json)
  if (!identity.ok) throw foreignWorld(world)
  return identity.value
}

/** Marks an empty environment as the world's; part of a transaction. */
export const writeIdentity = (records: Database<Buffer, Buffer>, { id, name }: WorldRef): void => {
  const identity = { format, version: formatVersion, worldId: id, worldName: name }
  records.putSync(identityKey, Buffer.from(JSON.stringify(identity)))
}
