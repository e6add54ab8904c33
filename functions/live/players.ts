import { Type } from '@sinclair/typebox'
import { OnlinePlayer } from '../../shared/domain/players/online-players.ts'
import { ClosedObject } from '../../shared/kernel/closed-object.ts'
import { AppError } from '../../shared/kernel/errors.ts'
import { tameText } from '../../shared/kernel/tame-text.ts'
import { PageQuery } from '../accounts/users.ts'
import { noContent, ok, route } from '../http/route.ts'
import { refuseMuted } from './refuse-muted.ts'

/** Default limit: the players of most servers fit on one page. */
const limitDefault = 200

/** Lists the connected players of all nodes, a page at a time. */
export const listPlayers = route({
  method: 'get',
  path: '/api/admin/players',
  permission: 'admin.players.read',
  operationId: 'listPlayers',
  summary: 'The connected players of all nodes and where they are, at most a second old, by display name.',
  query: ClosedObject({ ...PageQuery, world: Type.Optional(Type.String({ maxLength: 64 })) }),
  responses: {
    200: ClosedObject({ players: Type.Array(OnlinePlayer), nextCursor: Type.Optional(Type.String()) }),
  },
  handle: async ({ players }, { query: { limit = limitDefault, ...query } }) =>
    ok(await players.listPlayers({ ...query, limit })),
})

/** A line as players see it. Throws AppError `invalid` with this pointer if nothing of it is visible. */
export const readLine = (pointer: string, text: string): string => {
  const line = tameText(text)
  if (line.trim() !== '') return line
  throw new AppError('invalid', 'bad-request', 'The line is empty.', {
    errors: [{ pointer, message: 'must have a visible character' }],
  })
}

const PlayerParams = Type.Object({ playerId: Type.String({ minLength: 1, maxLength: 64 }) })
const closed = { additionalProperties: false } as const
/** One line, without control characters. The pattern means the same with and without the flag `u`, because tools differ in it. */
export const Line = Type.String({
  minLength: 1,
  maxLength: 500,
  pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$',
  description: 'One line.',
})
const horizontal = Type.Number({ minimum: -30_000_000, maximum: 30_000_000 })

const printable = (name: string): string => name.replace(/\p{Cc}/gu, ' ').slice(0, 64)

const responses = { 204: 'Done.' } as const
const problems = ['not-found', 'service-unavailable'] as const

/** Ends a player's session on any node, as `/kick` does. */
export const kickPlayer = route({
  method: 'post',
  path: '/api/admin/players/:playerId/kick',
  permission: 'admin.players.kick',
  operationId: 'kickPlayer',
  isAboutPlayer: true,
  summary: 'End the session of a player on any node; they may sign in again.',
  params: PlayerParams,
  body: Type.Object({ reason: Type.Optional(Line) }, closed),
  responses,
  problems: [...problems, 'beyond-own-permissions'],
  handle: async ({ players }, { params, body, actor }) => {
    const reason = (body.reason && readLine('/reason', body.reason)) ?? `Kicked by ${printable(actor.displayName)}.`
    await players.order(actor, params.playerId, { kind: 'kick', reason })
    return noContent
  },
})

/** Shows a line to one player only. */
export const messagePlayer = route({
  method: 'post',
  path: '/api/admin/players/:playerId/message',
  permission: 'admin.players.message',
  operationId: 'messagePlayer',
  isAboutPlayer: true,
  summary: 'Show a line to one player on any node, after your name. No one else sees it.',
  params: PlayerParams,
  body: Type.Object({ text: Line }, closed),
  responses,
  problems: [...problems, 'muted'],
  handle: async (deps, { params, body, actor }) => {
    refuseMuted(deps, actor)
    await deps.players.order(actor, params.playerId, {
      kind: 'message',
      text: readLine('/text', body.text),
      from: printable(actor.displayName),
      fromId: actor.playerId,
    })
    return noContent
  },
})

export const TeleportPlace = ClosedObject({
  x: horizontal,
  y: Type.Number({ minimum: 0, maximum: 512 }),
  z: horizontal,
})

export const TeleportToPlayer = ClosedObject({ playerId: Type.String({ minLength: 1, maxLength: 64 }) })

/** Teleports a player to a place, or to another player. */
export const teleportPlayer = route({
  method: 'post',
  path: '/api/admin/players/:playerId/teleport',
  permission: 'admin.players.teleport',
  operationId: 'teleportPlayer',
  isAboutPlayer: true,
  summary: 'Teleport a player to an exact place in their world, or to another player there.',
  params: PlayerParams,
  body: Type.Union([TeleportPlace, TeleportToPlayer]),
  responses,
  problems: [...problems, 'conflict'],
  handle: async ({ players }, { params, body, actor }) => {
    await players.order(actor, params.playerId, { kind: 'teleport', to: body })
    return noContent
  },
})
