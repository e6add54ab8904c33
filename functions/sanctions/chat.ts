import { Type } from '@sinclair/typebox'
import { normalizeEmail } from '../../shared/domain/accounts/email.ts'
import type { AccountStore } from '../../shared/domain/accounts/store/account-store.ts'
import { type ChatQuery, searchChat } from '../../shared/domain/chat/search-chat.ts'
import { WorldName } from '../../shared/domain/worlds/world.ts'
import { ClosedObject } from '../../shared/kernel/closed-object.ts'
import { AppError } from '../../shared/kernel/errors.ts'
import { isUuid } from '../../shared/kernel/ids.ts'
import { PageQuery, pageLimitDefault } from '../accounts/users.ts'
import { ok, route } from '../http/route.ts'
import { readTimeRange, timeRangeOf } from '../http/time-range.ts'

const Query = ClosedObject({
  ...PageQuery,
  q: Type.Optional(
    Type.String({ minLength: 1, maxLength: 100, description: 'A part of the text. Upper and lower case are the same.' }),
  ),
  player: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 254,
      description: 'The author: a playerId, the email of an account, or the whole display name at that time.',
    }),
  ),
  world: Type.Optional(WorldName),
  ...timeRangeOf('lines'),
})

const StoredChatLine = ClosedObject({
  at: Type.String({ format: 'date-time' }),
  world: Type.String({ description: 'The world of the author. Players of all worlds see public chat.' }),
  channel: Type.String(),
  from: Type.String({ description: 'The display name of the author at that time.' }),
  text: Type.String(),
  by: Type.Optional(Type.String({ description: 'The playerId of the author. Absent for lines of the server.' })),
})

const findAuthor = async (accountStore: Pick<AccountStore, 'findByEmail'>, player: string): Promise<ChatQuery['author']> => {
  if (isUuid(player)) return { playerId: player.toLowerCase() }
  const email = normalizeEmail(player)
  if (email === undefined) return { displayName: player }
  const account = await accountStore.findByEmail(email)
  if (account !== undefined) return { playerId: account.playerId }
  throw new AppError('not-found', 'not-found', 'No account has that email. Search by playerId or display name.', {
    errors: [{ pointer: '/player', message: 'must be the email of an account' }],
  })
}

/** Lists stored lines of public chat. */
export const listChat = route({
  method: 'get',
  path: '/api/admin/chat',
  permission: 'admin.sanctions.read',
  operationId: 'listChat',
  summary:
    'Lines of public chat, newest first, for as long as `chat.keepDays` keeps them. Private messages are not stored. Filters combine. A page may have fewer lines than its limit and still have a cursor. Lines appear up to ten seconds after they were sent.',
  query: Query,
  responses: {
    200: ClosedObject({
      lines: Type.Array(StoredChatLine, { description: 'Newest first.' }),
      keepDays: Type.Integer({ description: 'How many days lines are kept; 0 if none are stored.' }),
      nextCursor: Type.Optional(Type.String()),
    }),
  },
  problems: ['not-found'],
  handle: async ({ store, accountStore, configs }, { query }) => {
    const { limit = pageLimitDefault, cursor, q: text, player, world } = query
    const times = readTimeRange(query)
    const author = player === undefined ? undefined : await findAuthor(accountStore, player)
    const { lines, ...more } = await searchChat(store, { limit, cursor, text, author, world, ...times })
    const answers = lines.map(({ atMs, ...line }) => ({ at: new Date(atMs).toISOString(), ...line }))
    return ok({ lines: answers, keepDays: configs.get('server.yaml').chat.keepDays, ...more })
  },
})
