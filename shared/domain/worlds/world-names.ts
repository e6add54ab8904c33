import { type Static, Type } from '@sinclair/typebox'
import { ClosedObject } from '../../kernel/closed-object.ts'
import { AppError } from '../../kernel/errors.ts'
import { createCollection, type Store } from '../../platform/storage/store.ts'
import type { WorldRef } from './store/chunk-store.ts'
import { WorldName, WorldRecord } from './world.ts'

/** A world that is leaving its name. `to` is its new name, or the name of its folder in the trash. */
const LeavingWorld = ClosedObject({
  world: WorldRecord,
  what: Type.Union([Type.Literal('delete'), Type.Literal('rename')]),
  to: Type.String(),
})
export type LeavingWorld = Static<typeof LeavingWorld>

const KeptName = ClosedObject({
  name: WorldName,
  importId: Type.Optional(WorldRecord.properties.id),
  leaving: Type.Optional(LeavingWorld),
})
type KeptName = Static<typeof KeptName>

/**
 * By name in lower case, because names that differ only in letter case would share a folder on some file systems. With `importId`, the
 * name is reserved for a world of that id that is being imported. With `leaving`, the world is being deleted or renamed, in steps that
 * are repeated after a crash. In both cases there is no world with that name.
 */
export const worldNames = createCollection('world-names', KeptName)

const listPageLimit = 1000

/** Names that are reserved without a world. */
const listKeptNames = async (store: Pick<Store, 'list'>): Promise<readonly KeptName[]> => {
  const reserved: KeptName[] = []
  let cursor: string | undefined
  do {
    const page = await store.list(worldNames, { limit: listPageLimit, ...(cursor === undefined ? {} : { cursor }) })
    for (const { value } of page.records) if (value.importId !== undefined || value.leaving !== undefined) reserved.push(value)
    cursor = page.nextCursor
  } while (cursor !== undefined)
  return reserved
}

/** Worlds with an import in progress or interrupted, by name. */
export const listImports = async (store: Pick<Store, 'list'>): Promise<readonly WorldRef[]> =>
  (await listKeptNames(store)).flatMap(({ name, importId }) => (importId === undefined ? [] : [{ name, id: importId }]))

/** Worlds with a deletion or renaming in progress or interrupted, by their old names. */
export const listLeaving = async (store: Pick<Store, 'list'>): Promise<readonly { name: string; leaving: LeavingWorld }[]> =>
  (await listKeptNames(store)).flatMap(({ name, leaving }) =>
    leaving === undefined || leaving.world.name !== name ? [] : [{ name, leaving }],
  )

export const nameTaken = (name: string): AppError =>
  new AppError('conflict', 'already-exists', `The world "${name}" already exists. Choose another name.`)

/** The refusal of a name that is reserved for an import. */
export const keptForImport = (name: string): AppError =>
  new AppError(
    'conflict',
    'already-exists',
    `The world "${name}" is being imported, or its import was interrupted. Run the same import again, or discard it with npm run world -- check ${name} --repair.`,
  )

/** The refusal of a name while a world is leaving or taking it. */
export const leavingWorld = (name: string, { world, what, to }: LeavingWorld): AppError =>
  new AppError(
    'conflict',
    'already-exists',
    what === 'delete'
      ? `The world "${name}" is being deleted, or its deletion was interrupted. Delete it again on the Worlds page, or run npm run world -- delete ${name}.`
      : `The world "${world.name}" is being renamed to "${to}", or the renaming was interrupted. Rename it again on the Worlds page, or run npm run world -- rename ${world.name} ${to}.`,
  )
