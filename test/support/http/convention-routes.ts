import { Type } from '@sinclair/typebox'
import { noContent, ok, type Route, route } from '../../../functions/http/route.ts'
import { AppError } from '../../../shared/kernel/errors.ts'

const Thing = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 8 }),
    size: Type.Integer({ minimum: 1, maximum: 10 }),
  },
  { additionalProperties: false },
)

const described = { summary: 'For tests.', responses: { 200: 'Something.' } } as const

/** One route for each convention. `calls` counts runs of handlers. */
export const createConventionRoutes = (): { routes: readonly Route[]; calls: () => number } => {
  let count = 0
  const counted = <T>(value: T): T => {
    count += 1
    return value
  }
  const open = route({
    ...described,
    method: 'get',
    path: '/open',
    permission: 'none',
    operationId: 'listOpen',
    query: Type.Object(
      { limit: Type.Optional(Type.Integer({ minimum: 1 })), q: Type.Optional(Type.String()) },
      { additionalProperties: false },
    ),
    handle: (_deps, { query, request }) => counted(ok({ query, address: request.address, requestId: request.requestId })),
  })
  const mine = route({
    ...described,
    method: 'get',
    path: '/mine',
    permission: 'signed-in',
    operationId: 'getMine',
    handle: (_deps, { actor }) =>
      counted(ok({ email: actor.email, verified: actor.verified, via: actor.via, requestId: actor.requestId })),
  })
  const things = route({
    ...described,
    method: 'post',
    path: '/things',
    permission: 'admin.things.write',
    operationId: 'createThing',
    body: Thing,
    handle: (_deps, { body }) => counted(ok(body)),
  })
  const echo = route({
    ...described,
    method: 'post',
    path: '/echo',
    permission: 'none',
    operationId: 'echoThing',
    body: Thing,
    handle: (_deps, { body }) => counted(ok(body)),
  })
  const tagged = route({
    ...described,
    method: 'get',
    path: '/things/:id',
    permission: 'none',
    operationId: 'getThing',
    params: Type.Object({ id: Type.Integer({ minimum: 1 }) }, { additionalProperties: false }),
    handle: (_deps, { params }) => counted(ok(params, 'version-1')),
  })
  const replace = route({
    ...described,
    method: 'put',
    path: '/things/:id',
    permission: 'none',
    operationId: 'replaceThing',
    params: Type.Object({ id: Type.String() }, { additionalProperties: false }),
    handle: (_deps, { request }) => counted(ok({ ifMatch: request.ifMatch ?? null })),
  })
  const remove = route({
    ...described,
    method: 'delete',
    path: '/things/:id',
    permission: 'none',
    operationId: 'removeThing',
    params: Type.Object({ id: Type.String() }, { additionalProperties: false }),
    handle: () => counted(noContent),
  })
  const note = route({
    ...described,
    method: 'put',
    path: '/notes/*name',
    permission: 'none',
    operationId: 'saveNote',
    params: Type.Object({ name: Type.String() }, { additionalProperties: false }),
    body: Type.String(),
    bodyMediaTypes: ['text/plain', 'text/markdown'],
    handle: (_deps, { params, body }) => counted(ok({ name: params.name, text: body })),
  })
  const broken = route({
    ...described,
    method: 'get',
    path: '/broken',
    permission: 'none',
    operationId: 'getBroken',
    handle: () => {
      throw new Error('secret-of-the-house at /etc/gatehouse')
    },
  })
  const unsendable = route({
    ...described,
    method: 'get',
    path: '/unsendable',
    permission: 'none',
    operationId: 'getUnsendable',
    handle: () => ok({ size: 1n }),
  })
  const conflicting = route({
    ...described,
    method: 'post',
    path: '/conflicts/:kind',
    permission: 'none',
    operationId: 'createConflict',
    params: Type.Object({ kind: Type.String() }, { additionalProperties: false }),
    handle: (_deps, { params }) => {
      const cause = new Error('secret-of-the-house')
      if (params.kind === 'conflict') throw new AppError('conflict', 'already-exists', 'It exists.', { cause })
      if (params.kind === 'stale') throw new AppError('stale', 'stale', 'It changed.', { cause })
      if (params.kind === 'unprocessable')
        throw new AppError('unprocessable', 'unknown-group', 'No such group.', {
          errors: [{ pointer: '/groups/0', message: 'is unknown' }],
        })
      if (params.kind === 'limited') throw new AppError('limited', 'too-many-requests', 'Wait.', { retryAfterSeconds: 2.2 })
      if (params.kind === 'unavailable') throw new AppError('unavailable', 'service-unavailable', 'Away.', { cause })
      throw new AppError('not-found', 'not-found', 'No such thing.')
    },
  })
  return {
    routes: [open, mine, things, echo, tagged, replace, remove, note, broken, unsendable, conflicting],
    calls: () => count,
  }
}
