import { Type } from '@sinclair/typebox'
import { createParser } from '../../../shared/kernel/schema.ts'

const parsePlayers = createParser(
  Type.Object(
    {
      players: Type.Array(
        Type.Object({ displayName: Type.String(), email: Type.Optional(Type.String()) }, { additionalProperties: true }),
      ),
    },
    { additionalProperties: true },
  ),
)
const parseGroups = createParser(
  Type.Object(
    { groups: Type.Array(Type.Object({ name: Type.String() }, { additionalProperties: true })) },
    { additionalProperties: true },
  ),
)
const parseUsers = createParser(
  Type.Object(
    { users: Type.Array(Type.Object({ email: Type.String() }, { additionalProperties: true })) },
    { additionalProperties: true },
  ),
)

/** What is typed twice in a row is asked for once. */
const keptMs = 5_000
/** For how long one that may not know something is not asked for it again. */
const refusedMs = 60_000
const answerMs = 2_000

export type NameQuestions = {
  /** The data of a command's answer. */
  readonly command: (text: string) => Promise<unknown>
  readonly listsCommand: (name: string) => boolean
  readonly url: string
  readonly token: () => string
  readonly fetchFrom: typeof fetch
  readonly now: () => number
}

export type KnownNames = {
  /** Display names of who is on, the first hundred; empty where the session may not know. */
  players(): Promise<readonly string[]>
  /** The groups in force; empty where the session may not know. */
  groups(): Promise<readonly string[]>
  /** Of who is on and of the accounts that hold `part`; empty where the session may not know. */
  emails(part: string): Promise<readonly string[]>
}

/** Names to complete with, asked for as any client may ask: the server decides who may know them. */
export const createKnownNames = ({ command, listsCommand, url, token, fetchFrom, now }: NameQuestions): KnownNames => {
  const kept = new Map<string, { readonly untilMs: number; readonly answer: Promise<unknown> }>()
  const once = (key: string, ask: () => Promise<unknown>): Promise<unknown> => {
    const found = kept.get(key)
    if (found !== undefined && found.untilMs > now()) return found.answer
    if (kept.size > 50) kept.clear()
    const answer = ask().catch(() => undefined)
    kept.set(key, { untilMs: now() + keptMs, answer })
    return answer
  }
  const refusedUntil = new Map<string, number>()
  const read = (path: string, query = '') =>
    once(path + query, async () => {
      if ((refusedUntil.get(path) ?? 0) > now()) return undefined
      const headers = { Authorization: `Bearer ${token()}` }
      const response = await fetchFrom(url + path + query, { headers, signal: AbortSignal.timeout(answerMs) })
      if (!response.ok) refusedUntil.set(path, now() + refusedMs)
      return response.json()
    })
  const listOn = async () => {
    if (!listsCommand('who')) return []
    const parsed = parsePlayers(await once('/who', () => command('/who')))
    return parsed.ok ? parsed.value.players : []
  }
  return {
    players: async () => (await listOn()).map(({ displayName }) => displayName),
    groups: async () => {
      const parsed = parseGroups(await read('/api/admin/groups'))
      return parsed.ok ? parsed.value.groups.map(({ name }) => name) : []
    },
    emails: async (part) => {
      const on = (await listOn()).flatMap(({ email }) => email ?? [])
      const parsed = parseUsers(await read('/api/admin/users', `?limit=50&q=${encodeURIComponent(part)}`))
      return [...on, ...(parsed.ok ? parsed.value.users.map(({ email }) => email) : [])]
    },
  }
}
