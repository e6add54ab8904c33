import { type Static, Type } from '@sinclair/typebox'

/** Seconds of a step, and how many a node keeps: ten minutes. */
export const stepSeconds = 5
export const stepsKept = 120

const closed = { additionalProperties: false } as const
const Count = Type.Integer({ minimum: 0 })
const Milliseconds = Type.Number({ minimum: 0 })

/** How a node was for five seconds; what is no sum is as of their end. */
export const NodeStep = Type.Object(
  {
    at: Type.String({ format: 'date-time', description: 'The end of the step.' }),
    sessions: Count,
    tick: Type.Object({ p50Ms: Milliseconds, p99Ms: Milliseconds }, closed),
    overruns: Type.Integer({ minimum: 0, description: 'Ticks that took longer than there was time for.' }),
    bytesIn: Count,
    bytesOut: Count,
    queues: Type.Object(
      { inbox: Count, work: Count, edits: Count, chunkWrites: Count, terrainWrites: Count, places: Count },
      { ...closed, description: 'What waits: for the next tick, outside, and to be written.' },
    ),
    memoryBytes: Type.Integer({ minimum: 0, description: 'Resident.' }),
    cpu: Type.Number({ minimum: 0, description: 'Cores: 1 is one core, the whole time.' }),
  },
  closed,
)
export type NodeStep = Static<typeof NodeStep>
