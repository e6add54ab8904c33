import { type Static, Type } from '@sinclair/typebox'
import { ClosedObject } from '../../../kernel/closed-object.ts'

/** One difference between the text of a config that is stored and another one. */
export const ConfigChange = ClosedObject({
  pointer: Type.String({
    description:
      'JSON Pointer into the new content, for what is taken away into the old. Of a list: its entries now stand in another order; `from` and `to` are their names.',
  }),
  from: Type.Unknown({ description: 'What it was; null: it was not there.' }),
  to: Type.Unknown({ description: 'What it becomes; null: it is taken away.' }),
  effect: Type.Unsafe<'now' | 'reload' | 'restart'>({
    type: 'string',
    enum: ['now', 'reload', 'restart'],
    description: 'What it takes to be in force: nothing (no process goes by it), a reload, or a restart.',
  }),
})
export type ConfigChange = Static<typeof ConfigChange>
