import { type Static, Type } from '@sinclair/typebox'
import { ClosedObject } from '../../kernel/closed-object.ts'
import { createCollection } from '../../platform/storage/store.ts'

export const SanctionKind = Type.Union([Type.Literal('ban'), Type.Literal('mute'), Type.Literal('warning')])
export type SanctionKind = Static<typeof SanctionKind>

const Instant = Type.String({ format: 'date-time' })

/** A restriction of an account, or a ban of an address. A warning ends when its player has seen it. */
export const Sanction = ClosedObject({
  id: Type.String({ format: 'uuid', description: 'Ids sort by time.' }),
  kind: SanctionKind,
  email: Type.Optional(Type.String({ description: 'The email of the account; absent for a ban of addresses.' })),
  address: Type.Optional(Type.String({ description: 'An address or a CIDR; only for bans.' })),
  reason: Type.String({ description: 'The reason that is shown to the player.' }),
  note: Type.Optional(Type.String({ description: 'A note for admins.' })),
  until: Type.Optional(Type.String({ format: 'date-time', description: 'The end; absent if there is none.' })),
  by: Type.String({ description: 'The email of the admin who imposed it; `operator` for the command line.' }),
  at: Instant,
  endedAt: Type.Optional(Type.String({ format: 'date-time', description: 'When it was ended early.' })),
  endedBy: Type.Optional(
    Type.String({
      description:
        'The email of the admin who ended it. A warning also ends when its player has seen it, with the email of the player.',
    }),
  ),
})
export type Sanction = Static<typeof Sanction>

/** Each sanction is stored under `all/`, with an email also under `account/`, and until it is ended also under `in-force/`. */
export const sanctionRecords = createCollection('sanctions', Sanction)

/** The number of changed sanctions in the record of changes. */
export const recentMax = 64

/** One record, written with every change. A new version shows a process that it missed changes; `recent` lists them. */
const SanctionChanges = ClosedObject({
  count: Type.Integer({ minimum: 0 }),
  /** Ids of the sanctions changed last, newest last. */
  recent: Type.Array(Type.String(), { maxItems: recentMax }),
})
export type SanctionChanges = Static<typeof SanctionChanges>
export const sanctionChanges = createCollection('sanction-changes', SanctionChanges)
export const sanctionChangesId = 'latest'

/** Whether the sanction is active at that time, to the millisecond. */
export const isInForce = ({ endedAt, until }: Pick<Sanction, 'endedAt' | 'until'>, nowMs: number): boolean =>
  endedAt === undefined && (until === undefined || Date.parse(until) > nowMs)
