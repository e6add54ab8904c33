import { Type } from '@sinclair/typebox'
import { createParser } from '../../kernel/schema.ts'
import type { BlockBox, ChangeFilter } from '../history/find-changes.ts'
import type { WorldRecord } from '../worlds/world.ts'
import { worldPlace } from './job.ts'
import type { NewJob } from './job-service.ts'

const Edge = Type.Integer()
const StoredBox = Type.Object({ minX: Edge, minY: Edge, minZ: Edge, maxX: Edge, maxY: Edge, maxZ: Edge })

/** Selects the changes to roll back: times in milliseconds, columns by chunkKey. */
export type RollbackInput = {
  readonly box?: BlockBox
  readonly columns?: readonly number[]
  readonly by?: string
  /** Only changes of this module. */
  readonly module?: string
  /** The rollback to undo. */
  readonly undoes?: string
  readonly since: number
  readonly until: number
}

export const parseRollbackInput = createParser(
  Type.Object({
    box: Type.Optional(StoredBox),
    columns: Type.Optional(Type.Array(Type.Integer(), { maxItems: 4096 })),
    by: Type.Optional(Type.String()),
    module: Type.Optional(Type.String()),
    undoes: Type.Optional(Type.String()),
    since: Type.Integer(),
    until: Type.Integer(),
  }),
)

export const rollbackName = 'rollback'

export const filterOfRollback = ({ box, columns, by, module, undoes, since, until }: RollbackInput): ChangeFilter => ({
  since,
  until,
  ...(box && { box }),
  ...(columns && { columns: new Set(columns) }),
  ...(by !== undefined && { by }),
  ...(module !== undefined && { module }),
  ...(undoes !== undefined && { undoes }),
})

/** A job that rolls back changes of blocks, perhaps of one zone. An actor with `permission` may cancel it. */
export const rollbackJob = (
  world: Pick<WorldRecord, 'id' | 'name'>,
  input: RollbackInput,
  {
    permission = 'admin.history.write',
    zone,
  }: { readonly permission?: NewJob['permission']; readonly zone?: string | undefined } = {},
): NewJob => ({
  kind: rollbackName,
  place: worldPlace(world.id),
  world: world.name,
  ...(zone !== undefined && { zone }),
  input,
  permission,
  detail: `Waits for the node that runs the world "${world.name}".`,
  audit: { action: 'world.rollback', target: world.name, after: input },
})
