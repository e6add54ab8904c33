import { type Static, Type } from '@sinclair/typebox'
import { ClosedObject } from '../../kernel/closed-object.ts'
import { AppError } from '../../kernel/errors.ts'
import { createCollection, type Store } from '../../platform/storage/store.ts'
import type { WorldRef } from './store/chunk-store.ts'
import { WorldName, WorldRecord } from './world.ts'

/** A world on its way out of its name; `to` is the name that it gets, or that of its folder among what was deleted. */
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
 * By name in lower case: two names that differ in letter case alone would be one folder on some file systems. With `importId` there is
 * no world of that name yet: it is kept for one of that id, whose chunks are being brought in. With `leaving` there is none any more:
 * it is being deleted or renamed, by steps that are done again after a crash.
 */
export const worldNames = createCollection('world-names', KeptName)

const listPageLimit = 1000

/** The names that there is no world of, though they are taken. */
const listKeptNames = async (store: Pick<Store, 'list'>): Promise<readonly KeptName[]> => {
  const kept: KeptName[] = []
  let cursor: string | undefined
  do {
    const page = await store.list(worldNames, { limit: listPageLimit, ...(cursor === undefined ? {} : { cursor }) })
    for (const { value } of page.records) if (value.importId !== undefined || value.leaving !== undefined) kept.push(value)
    cursor = page.nextCursor
  } while (cursor !== undefined)
  return kept
}

/** The worlds that are being brought in, or whose import was stopped in the middle, by name. */
export const listImports = async (store: Pick<Store, 'list'>): Promise<readonly WorldRef[]> =>
  (await listKeptNames(store)).flatMap(({ name, importId }) => (importId === undefined ? [] : [{ name, id: importId }]))

/** The worlds whose deletion or renaming is under way, or was stopped in the middle, by the names that they have no more. */
export const listLeaving = async (store: Pick<Store, 'list'>): Promise<readonly { name: string; leaving: LeavingWorld }[]> =>
  (await listKeptNames(store)).flatMap(({ name, leaving }) =>
    leaving === undefined || leaving.world.name !== name ? [] : [{ name, leaving }],
  )

/** AppError `conflict`, slug `already-exists`. */
export const nameTaken = (name: string): AppError =>
  new AppError('conflict', 'already-exists', `The world "${name}" exists already: choose another name.`)

/** AppError `conflict`, slug `already-exists`, for a name that is kept for an import. */
export const keptForImport = (name: string): AppError =>
  new AppError(
    'conflict',
    'already-exists',
    `The world "${name}" is being imported, or its import was stopped: run the same import again, or give it up with npm run world -- check ${name} --repair.`,
  )

/** AppError `conflict`, slug `already-exists`, for a name that a world has not quite left, or does not quite have. */
export const leavingWorld = (name: string, { world, what, to }: LeavingWorld): AppError =>
  new AppError(
    'conflict',
    'already-exists',
    what === 'delete'
      ? `The world "${name}" is being deleted, or that was stopped: delete it again on the Worlds page, or run npm run world -- delete ${name}.`
      : `The world "${world.name}" is being renamed to "${to}", or that was stopped: give it that name again on the Worlds page, or run npm run world -- rename ${world.name} ${to}.`,
  )
