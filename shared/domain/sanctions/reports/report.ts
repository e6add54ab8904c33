import { type Static, Type } from '@sinclair/typebox'
import { ClosedObject } from '../../../kernel/closed-object.ts'
import { createCollection } from '../../../platform/storage/store.ts'

const Line = ClosedObject({ channel: Type.String(), from: Type.String(), text: Type.String() })

/** The number of chat lines in a report. */
export const chatLinesKept = 20

export const ReportState = Type.Union([Type.Literal('open'), Type.Literal('closed')])

/** A player's report to the admins, with the last chat on their node and their position. */
export const Report = ClosedObject({
  id: Type.String({ format: 'uuid', description: 'Ids sort by time.' }),
  at: Type.String({ format: 'date-time' }),
  by: Type.String({ description: 'The email of the reporting player.' }),
  about: Type.Optional(Type.String({ description: 'The email of the reported player, if any.' })),
  text: Type.String(),
  place: ClosedObject({ world: Type.String(), x: Type.Integer(), y: Type.Integer(), z: Type.Integer() }),
  lastChat: Type.Array(Line, { maxItems: chatLinesKept, description: 'Oldest first.' }),
  state: ReportState,
  note: Type.Optional(Type.String({ description: 'A note by the admins.' })),
  closedBy: Type.Optional(Type.String({ description: 'The email of the admin who closed the report.' })),
})
export type Report = Static<typeof Report>

/** Each report is stored under `all/`, and while it is open also under `open/`. */
export const reportRecords = createCollection('reports', Report)

/** The times of a player's last reports, by playerId. */
export const reportTimes = createCollection('report-times', ClosedObject({ at: Type.Array(Type.Integer()) }))
