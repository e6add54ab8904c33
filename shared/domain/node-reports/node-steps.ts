import { type Static, Type } from '@sinclair/typebox'

/** The length of a step in seconds, and the number of steps that a node keeps: ten minutes in all. */
export const stepSeconds = 5
export const stepsKept = 120

/** The same for the last day, in steps of two minutes. */
export const dayStepSeconds = 120
export const dayStepsKept = 720

const closed = { additionalProperties: false } as const
const Count = Type.Integer({ minimum: 0 })
const Milliseconds = Type.Number({ minimum: 0 })

/**
 * The metrics of a node over a step. Values that are not sums are from the end of a step of five seconds. A step of the day has the
 * highest of these values.
 */
export const NodeStep = Type.Object(
  {
    at: Type.String({ format: 'date-time', description: 'The end of the step.' }),
    sessions: Count,
    tick: Type.Object({ p50Ms: Milliseconds, p99Ms: Milliseconds }, closed),
    overruns: Type.Integer({ minimum: 0, description: 'Ticks that exceeded their time budget.' }),
    bytesIn: Count,
    bytesOut: Count,
    queues: Type.Object(
      { inbox: Count, work: Count, edits: Count, chunkWrites: Count, terrainWrites: Count, places: Count },
      { ...closed, description: 'Queue lengths: messages for the next tick, work outside ticks, and pending writes.' },
    ),
    memoryBytes: Type.Integer({ minimum: 0, description: 'Resident.' }),
    cpu: Type.Number({ minimum: 0, description: 'CPU cores in use: 1 is one core, fully used.' }),
  },
  closed,
)
export type NodeStep = Static<typeof NodeStep>
