import { Type } from '@sinclair/typebox'
import { ClosedObject } from '../../kernel/closed-object.ts'
import { createParser } from '../../kernel/schema.ts'
import { chunkMax } from '../../rules/positions.ts'
import { columnsWithin } from '../worlds/generation/square-regions.ts'
import type { WorldRecord } from '../worlds/world.ts'
import { type JobProgress, worldPlace } from './job.ts'
import type { NewJob } from './job-service.ts'

/** The maximum number of columns to each side; four million columns in all. */
export const pregenRadiusMax = 1000

export const PregenInput = ClosedObject({
  radius: Type.Integer({ minimum: 0, maximum: pregenRadiusMax, description: 'Columns to each side of column 0,0.' }),
})

/** The stored input. The command line may exceed `pregenRadiusMax`. */
export const parsePregenInput = createParser(Type.Object({ radius: Type.Integer({ minimum: 0, maximum: chunkMax }) }))
/** The stored progress: the number of generated columns. */
export const parsePregenKept = createParser(Type.Object({ generated: Type.Integer({ minimum: 0 }) }))

export const pregenName = 'pregen'

/** A job that generates the square of columns around column 0,0 of a world. */
export const pregenJob = (world: Pick<WorldRecord, 'id' | 'name'>, input: { readonly radius: number }): NewJob => ({
  kind: pregenName,
  place: worldPlace(world.id),
  world: world.name,
  input,
  permission: 'admin.worlds.write',
  detail: `Waits for the node that runs the world "${world.name}".`,
  audit: { action: 'world.pregen', target: world.name, after: input },
})

/** The progress of such a job, in words and numbers. */
export const pregenProgress = (radius: number, { there, generated }: { there: number; generated: number }): JobProgress => {
  const columns = columnsWithin(radius)
  return {
    progress: there / columns,
    detail: `${there} of ${columns} chunks exist, ${generated} of them new.`,
    result: { columns, generated },
  }
}
