import { chunkKey } from '../../../sdk/world.ts'
import { createMesher } from './mesh-column.ts'
import type { LookTable, MeshAnswer, MeshRequest } from './mesh-data.ts'
import type { Around } from './neighbourhood.ts'
import { changeColumn, relookColumn, unpackColumn, type VoxelColumn } from './voxel-column.ts'

/** The part of the worker's scope that is used; the types of pages lack it. */
type WorkerScope = {
  onmessage: ((event: MessageEvent<MeshRequest>) => void) | null
  postMessage(answer: MeshAnswer, transfer: Transferable[]): void
}

const scope = globalThis as unknown as WorkerScope
const columns = new Map<number, VoxelColumn>()
const mesh = createMesher()
let looks: LookTable = []

const listAround = (cx: number, cz: number): Around => {
  const around: (VoxelColumn | undefined)[] = []
  for (let dz = -1; dz <= 1; dz += 1) for (let dx = -1; dx <= 1; dx += 1) around.push(columns.get(chunkKey(cx + dx, cz + dz)))
  return around
}

const answer = ({ cx, cz, ticket }: Extract<MeshRequest, { kind: 'mesh' }>): void => {
  const startedAt = performance.now()
  const made = columns.has(chunkKey(cx, cz)) ? mesh(listAround(cx, cz), looks) : undefined
  const transfer = made === undefined ? [] : [made.solid.buffer, made.clear.buffer]
  scope.postMessage({ cx, cz, ticket, mesh: made, ms: performance.now() - startedAt }, transfer)
}

scope.onmessage = ({ data }) => {
  if (data.kind === 'mesh') answer(data)
  else if (data.kind === 'column') columns.set(chunkKey(data.cx, data.cz), unpackColumn(data.cx, data.cz, data.sections, looks))
  else if (data.kind === 'gone') columns.delete(chunkKey(data.cx, data.cz))
  else if (data.kind === 'looks') {
    looks = data.looks
    if (data.isFresh) columns.clear()
    for (const column of columns.values()) relookColumn(column, looks)
  } else
    for (const edit of data.edits) {
      const column = columns.get(chunkKey(Math.floor(edit.x / 16), Math.floor(edit.z / 16)))
      if (column !== undefined) changeColumn(column, edit, looks)
    }
}
