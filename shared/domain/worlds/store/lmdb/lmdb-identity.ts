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

/** The world that the chunks of an environment belong to. */
export type ChunksIdentity = { readonly worldId: string; readonly worldName: string }

/** Throws AppError `unavailable` with the other world's name if the chunks do not belong to `world`. */
export const checkIdentity = (world: WorldRef, identity: ChunksIdentity | undefined): void => {
  if (identity === undefined || identity.worldId === world.id) return
  throw worldUnusable(
    world,
    'the data stored under its name belongs to another world or another program',
    `Move that data away, or restore the right data. It is the world "${identity.worldName}" with the id ${identity.worldId}, as in an older backup or another data folder.`,
  )
}

/** Reads the identity; undefined for an empty environment. Throws AppError `unavailable` if its format is unknown. */
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
    throw worldUnusable(world, 'they were written by a newer version of Gatehouse', 'Run that version or a later one.')
  const identity = parseIdentity(json)
  if (!identity.ok) throw foreignWorld(world)
  return identity.value
}

/** Marks an empty environment as the world's. Call it in a transaction. */
export const writeIdentity = (records: Database<Buffer, Buffer>, { id, name }: WorldRef): void => {
  const identity = { format, version: formatVersion, worldId: id, worldName: name }
  records.putSync(identityKey, Buffer.from(JSON.stringify(identity)))
}
