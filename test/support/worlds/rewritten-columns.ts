import type { ChunkRecord } from '../../../shared/domain/worlds/store/chunk-store.ts'

export const rewrittenWorld = { name: 'overworld', id: '5f0e6a9c-3a4b-4f5e-9a61-2f4f3c1f7d10' }

/** Sixty columns in four regions, more at every tenth write; each contains the number of the write. */
export const rewrittenColumns = (n: number): ChunkRecord[] =>
  Array.from({ length: 60 + Math.floor(n / 10) }, (_, at) => ({
    cx: (at % 15) - 7,
    cz: Math.floor(at / 15) - 2,
    bytes: Buffer.from(`write ${n}`),
  }))
