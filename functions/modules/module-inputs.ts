import { Type } from '@sinclair/typebox'

const Name = Type.String({ pattern: '^[a-z][a-z0-9-]{0,31}$', description: 'The name of a module.', examples: ['shop'] })
const Record = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'A kind of records that the module declares.',
  examples: ['sales'],
})

export const ModuleParams = Type.Object({ name: Name })

export const RecordParams = Type.Object({
  name: Name,
  record: Record,
  id: Type.String({
    minLength: 1,
    maxLength: 256,
    description: 'The id of the record. It may have slashes.',
    examples: ['2026/1'],
  }),
})

export const RecordName = Record

export const PlayerDataParams = Type.Object({
  name: Name,
  playerId: Type.String({ minLength: 1, maxLength: 64, description: 'The playerId of an account.' }),
})

export const MessageParams = Type.Object({
  name: Name,
  message: Type.String({
    minLength: 1,
    maxLength: 64,
    description: 'A message that the module declares with `http: true`.',
    examples: ['buy'],
  }),
})
