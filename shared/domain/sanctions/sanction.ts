import { type Static, Type } from '@sinclair/typebox'
import { ClosedObject } from '../../kernel/closed-object.ts'
import { createCollection } from '../../platform/storage/store.ts'

export const SanctionKind = Type.Union([Type.Literal('ban'), Type.Literal('mute'), Type.Literal('warning')])
export type SanctionKind = Static<typeof SanctionKind>

const Instant = Type.String({ format: 'date-time' })

/** What keeps an account, or for a ban an address, from something. A warning ends when its player has seen it. */
export const Sanction = ClosedObject({
  id: Type.String({ format: 'uuid', description: 'Ids sort by time.' }),
  kind: SanctionKind,
  email: Type.Optional(Type.String({ description: 'Of the account; absent of a ban of addresses.' })),
  address: Type.Optional(Type.String({ description: 'An address or a CIDR; of bans alone.' })),
  reason: Type.String({ description: 'What the player is told.' }),
  note: Type.Optional(Type.String({ description: 'For those who run the server.' })),
  until: Type.Optional(Type.String({ format: 'date-time', description: 'Its end; absent where there is none.' })),
  by: Type.String({ description: 'The email of who imposed it; `operator` for the command line.' }),
  at: Instant,
  endedAt: Type.Optional(Type.String({ format: 'date-time', description: 'When somebody ended it before its time.' })),
  endedBy: Type.Optional(Type.String({ description: 'Who that was; of a warning, the player who has seen it.' })),
})
export type Sanction = Static<typeof Sanction>

/** Each lies there under `all/`, with an email under `account/`, and until it is ended under `in-force/`. */
export const sanctionRecords = createCollection('sanctions', Sanction)

/** How many changed sanctions the record of changes remembers. */
export const recentMax = 64

/** One record, written with every change: by its version a process knows that it missed something, by `recent` what. */
const SanctionChanges = ClosedObject({
  count: Type.Integer({ minimum: 0 }),
  /** Ids of the sanctions that the last changes were of, the newest last. */
  recent: Type.Array(Type.String(), { maxItems: recentMax }),
})
export type SanctionChanges = Static<typeof SanctionChanges>
export const sanctionChanges = createCollection('sanction-changes', SanctionChanges)
export const sanctionChangesId = 'latest'

/** Whether it has an effect at that time, to the millisecond. */
export const isInForce = ({ endedAt, until }: Pick<Sanction, 'endedAt' | 'until'>, nowMs: number): boolean =>
  endedAt === undefined && (until === undefined || Date.parse(until) > nowMs)
