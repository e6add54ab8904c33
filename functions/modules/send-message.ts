import { Type } from '@sinclair/typebox'
import { ClosedObject } from '../../shared/kernel/closed-object.ts'
import { AppError } from '../../shared/kernel/errors.ts'
import { noContent, ok, route } from '../http/route.ts'
import { MessageParams } from './module-inputs.ts'

/** The same as over the real-time connection. */
const bodyBytes = 8_192

/** A reply may need a store or another server. */
const answerMs = 10_000

/** Sends a message to a module, and answers with its reply. */
export const sendModuleMessage = route({
  method: 'post',
  path: '/api/modules/:name/:message',
  permission: 'signed-in',
  operationId: 'sendModuleMessage',
  summary:
    'Send a message to a module and get its reply: for messages that the module declares with `http: true`. The module sees the caller as a player without a place.',
  params: MessageParams,
  query: ClosedObject({
    world: Type.Optional(
      Type.String({ maxLength: 64, description: 'The world whose node handles it. By default the active world.' }),
    ),
  }),
  body: Type.Unknown({
    description: 'The parameters of the message, as the module declares them.',
    examples: [{ item: 'apple', count: 2 }],
  }),
  bodyBytesMax: bodyBytes,
  isBodyOptional: true,
  responses: {
    200: Type.Unknown({ description: 'The reply, as the module declares it.', examples: [{ coins: 8 }] }),
    204: 'Done. The message has no reply.',
  },
  problems: ['not-found', 'missing-permission', 'module-rules', 'module-failed', 'service-unavailable'],
  handle: async ({ moduleOrders, worlds }, { params: { name, message }, query, body, actor, request }) => {
    const { name: world } = await worlds.getWorld(query.world)
    const scope = request.grant?.scope
    const [outcome] = await moduleOrders.send(
      {
        kind: 'call',
        module: name,
        name: message,
        params: body,
        playerId: actor.playerId,
        verified: actor.verified,
        ...(scope !== undefined && { scope: [...scope] }),
      },
      { world, answerMs },
    )
    if (outcome === undefined)
      throw new AppError('unavailable', 'service-unavailable', `The node of the world ${world} did not answer. Try again.`, {
        retryAfterSeconds: 1,
      })
    if (outcome.outcome === 'refused') throw outcome.error
    return outcome.value === undefined ? noContent : ok(outcome.value)
  },
})
