import { Type } from '@sinclair/typebox'
import type { ClassesConfig } from '../../shared/domain/classes/classes-config.ts'
import { listUnlockedAttacks } from '../../shared/domain/classes/list-unlocked-attacks.ts'
import { hashSecret } from '../../shared/kernel/ids.ts'
import { route } from '../http/route.ts'

type Told = { readonly text: string; readonly etag: string }

/** Cached by config: any client may request this, and the work grows with the number of classes. */
const told = new WeakMap<ClassesConfig['classes'], Told>()

const tell = (classes: ClassesConfig['classes']): Told => {
  const known = told.get(classes)
  if (known !== undefined) return known
  const unlocks = Object.fromEntries(Object.entries(classes).map(([name, one]) => [name, listUnlockedAttacks(one)]))
  const text = JSON.stringify(unlocks)
  const made = { text, etag: hashSecret(text).slice(0, 32) }
  told.set(classes, made)
  return made
}

const Levels = Type.Record(Type.String(), Type.Array(Type.String()))

/** Lists the attacks of each class by level. Public; caches may store the answer for a minute. */
export const listUnlocks = route({
  method: 'get',
  path: '/api/classes',
  permission: 'none',
  operationId: 'listClassUnlocks',
  hasEtag: true,
  summary: 'For each class, the levels with new skills, and all attacks that the class has at that level.',
  responses: {
    200: Type.Record(Type.String(), Levels, {
      description: 'Ids of attacks by class and level, each once, lower levels first.',
    }),
  },
  responseHeaders: {
    'Cache-Control': Type.String({ description: '`public, max-age=60`.' }),
  },
  handle: ({ configs }) => {
    const { text, etag } = tell(configs.get('classes.yaml').classes)
    return {
      status: 200,
      body: text,
      contentType: 'application/json; charset=utf-8',
      etag,
      headers: { 'Cache-Control': 'public, max-age=60' },
    }
  },
})
