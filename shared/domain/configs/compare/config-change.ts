import { type Static, Type } from '@sinclair/typebox'
import { ClosedObject } from '../../../kernel/closed-object.ts'

/** One difference between the stored text of a config and another one. */
export const ConfigChange = ClosedObject({
  pointer: Type.String({
    description:
      'JSON Pointer into the new content, or into the old content for a removed value. For a list whose entries have a new order, `from` and `to` are their names.',
  }),
  from: Type.Unknown({ description: 'The previous value; null if there was none.' }),
  to: Type.Unknown({ description: 'The new value; null if it is removed.' }),
  effect: Type.Unsafe<'now' | 'reload' | 'restart'>({
    type: 'string',
    enum: ['now', 'reload', 'restart'],
    description: 'When the change applies: now (no process uses the value), after a reload, or after a restart.',
  }),
})
export type ConfigChange = Static<typeof ConfigChange>
