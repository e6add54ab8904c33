import { Type } from '@sinclair/typebox'
import { ClosedObject } from '../kernel/closed-object.ts'
import { AppError } from '../kernel/errors.ts'
import { createCollection, type Store } from '../storage/store.ts'
import type { WorldRef } from './store/chunk-store.ts'
import { WorldName, WorldRecord } from './world.ts'

/**
 * By name in lower case: two names that differ in letter case alone would be one folder on some file systems. With `importId` there is
 * no world of that name yet: it is kept for one of that id, whose chunks are being brought in.
 */
export const worldNames = createCollection(
  'world-names',
  ClosedObject({ name: WorldName, importId: Type.Optional(WorldRecord.properties.id) }),
)

const listPageLimit = 1000

/** The worlds that are being brought in, or whose import was stopped in the middle, by name. */
export const listImports = async (store: Pick<Store, 'list'>): Promise<readonly WorldRef[]> => {
  const imports: WorldRef[] = []
  let cursor: string | undefined
  do {
    const page = await store.list(worldNames, { limit: listPageLimit, ...(cursor === undefined ? {} : { cursor }) })
    for (const { value } of page.records) if (value.importId !== undefined) imports.push({ name: value.name, id: value.importId })
    cursor = page.nextCursor
  } while (cursor !== undefined)
  return imports
}

/** AppError `conflict`, slug `already-exists`, for a name that is kept for an import. */
export const keptForImport = (name: string): AppError =>
  new AppError(
    'conflict',
    'already-exists',
    `The world "${name}" is being imported, or its import was stopped: run the same import again, or give it up with npm run world -- check ${name} --repair.`,
  )
