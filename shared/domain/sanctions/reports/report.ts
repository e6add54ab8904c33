import { type Static, Type } from '@sinclair/typebox'
import { ClosedObject } from '../../../kernel/closed-object.ts'
import { createCollection } from '../../../platform/storage/store.ts'

const Line = ClosedObject({ channel: Type.String(), from: Type.String(), text: Type.String() })

/** Lines of chat that go with a report. */
export const chatLinesKept = 20

export const ReportState = Type.Union([Type.Literal('open'), Type.Literal('closed')])

/** What a player told those who keep the peace, with what was said last on their node, and where they stood. */
export const Report = ClosedObject({
  id: Type.String({ format: 'uuid', description: 'Ids sort by time.' }),
  at: Type.String({ format: 'date-time' }),
  by: Type.String({ description: 'The email of who reported.' }),
  about: Type.Optional(Type.String({ description: 'The email of whom it is about, where they named somebody.' })),
  text: Type.String(),
  place: ClosedObject({ world: Type.String(), x: Type.Integer(), y: Type.Integer(), z: Type.Integer() }),
  lastChat: Type.Array(Line, { maxItems: chatLinesKept, description: 'Oldest first.' }),
  state: ReportState,
  note: Type.Optional(Type.String({ description: 'Of those who run the server.' })),
  closedBy: Type.Optional(Type.String({ description: 'The email of who closed it.' })),
})
export type Report = Static<typeof Report>

/** Each lies there under `all/`, and while it is open under `open/`. */
export const reportRecords = createCollection('reports', Report)

/** By playerId: when they reported last. */
export const reportTimes = createCollection('report-times', ClosedObject({ at: Type.Array(Type.Integer()) }))
