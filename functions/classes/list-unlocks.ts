import { Type } from '@sinclair/typebox'
import { listUnlockedAttacks } from '../../shared/classes/list-unlocked-attacks.ts'
import { hashSecret } from '../../shared/kernel/ids.ts'
import { route } from '../http/route.ts'

const Levels = Type.Record(Type.String(), Type.Array(Type.String()))

/** Tells anybody which attacks each class has from which level on; caches may keep the answer for a minute. */
export const listUnlocks = route({
  method: 'get',
  path: '/api/classes',
  permission: 'none',
  summary: 'Of each class, for each level at which it learns something, all attacks that it has from then on.',
  responses: {
    200: Type.Record(Type.String(), Levels, {
      description: 'Ids of attacks by class and level, each once, those of lower levels first.',
    }),
  },
  responseHeaders: {
    ETag: Type.String({ description: 'Changes with the answer; a matching `If-None-Match` is answered 304.' }),
    'Cache-Control': Type.String({ description: '`public, max-age=60`.' }),
  },
  handle: ({ configs }) => {
    const { classes } = configs.get('classes.yaml')
    const unlocks = Object.fromEntries(Object.entries(classes).map(([name, one]) => [name, listUnlockedAttacks(one)]))
    const text = JSON.stringify(unlocks)
    return {
      status: 200,
      body: text,
      contentType: 'application/json; charset=utf-8',
      etag: hashSecret(text).slice(0, 32),
      headers: { 'Cache-Control': 'public, max-age=60' },
    }
  },
})
