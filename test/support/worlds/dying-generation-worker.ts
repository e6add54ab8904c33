import { existsSync, writeFileSync } from 'node:fs'
import { workerData } from 'node:worker_threads'
import type { GenerationWorkerData } from '../../../realtime/workers/generation-worker-data.ts'
import type { ChunkPos } from '../../../shared/rules/positions.ts'

const { blocks }: GenerationWorkerData = workerData
/** The path of a file that records the death of a thread. It is in the only field that a pool passes on unchecked. */
const died = blocks.blocks[0]?.name ?? ''

/** The thread dies for `cx` 1 the first time, and for 2 always; 3 throws. */
export const generateColumn = ({ cx }: ChunkPos): Uint8Array => {
  if (cx === 1 && !existsSync(died)) {
    writeFileSync(died, '')
    process.exit(1)
  }
  if (cx === 2) process.exit(1)
  if (cx === 3) throw new Error('no such column')
  return Uint8Array.of(cx)
}
