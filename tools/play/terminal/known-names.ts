import { Type } from '@sinclair/typebox'
import type { Answer, Call } from '../../../sdk/admin/call.ts'
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
const parseZones = createParser(
  Type.Object(
    { zones: Type.Array(Type.Object({ name: Type.String() }, { additionalProperties: true })) },
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
  readonly call: Call
  readonly now: () => number
}

export type KnownNames = {
  /** Display names of who is on, the first hundred; empty where the session may not know. */
  players(): Promise<readonly string[]>
  /** The groups in force; empty where the session may not know. */
  groups(): Promise<readonly string[]>
  /** Of who is on and of the accounts that hold `part`; empty where the session may not know. */
  emails(part: string): Promise<readonly string[]>
  /** The nearest of this world; empty where the session may not know. */
  zones(): Promise<readonly string[]>
  /** What `/config:reload` takes; empty where the session may not know. */
  configs(): Promise<readonly string[]>
}

/** Answers by what was asked for, each kept for a while. */
const createKept = <T>(now: () => number) => {
  const kept = new Map<string, { readonly untilMs: number; readonly answer: Promise<T | undefined> }>()
  return (key: string, ask: () => Promise<T | undefined>): Promise<T | undefined> => {
    const found = kept.get(key)
    if (found !== undefined && found.untilMs > now()) return found.answer
    if (kept.size > 50) kept.clear()
    const answer = ask().catch(() => undefined)
    kept.set(key, { untilMs: now() + keptMs, answer })
    return answer
  }
}

/** Names to complete with, asked for as any client may ask: the server decides who may know them. */
export const createKnownNames = ({ command, listsCommand, call, now }: NameQuestions): KnownNames => {
  const onceRun = createKept<unknown>(now)
  const onceGroups = createKept<Answer<'GET /api/admin/groups'>>(now)
  const onceConfigs = createKept<Answer<'GET /api/admin/configs'>>(now)
  const onceUsers = createKept<Answer<'GET /api/admin/users'>>(now)
  const refusedUntil = new Map<string, number>()
  const unlessRefused = <T>(what: string, ask: (signal: AbortSignal) => Promise<T>): Promise<T | undefined> => {
    if ((refusedUntil.get(what) ?? 0) > now()) return Promise.resolve(undefined)
    return ask(AbortSignal.timeout(answerMs)).catch(() => {
      refusedUntil.set(what, now() + refusedMs)
      return undefined
    })
  }
  const run = async (name: string) => (listsCommand(name) ? onceRun(name, () => command(`/${name}`)) : undefined)
  const listOn = async () => {
    const parsed = parsePlayers(await run('who'))
    return parsed.ok ? parsed.value.players : []
  }
  return {
    players: async () => (await listOn()).map(({ displayName }) => displayName),
    groups: async () => {
      const answer = await onceGroups('groups', () =>
        unlessRefused('groups', (signal) => call('GET /api/admin/groups', { signal })),
      )
      return answer?.body.groups.map(({ name }) => name) ?? []
    },
    emails: async (part) => {
      const on = (await listOn()).flatMap(({ email }) => email ?? [])
      const ask = (signal: AbortSignal) => call('GET /api/admin/users', { query: { limit: 50, q: part }, signal })
      const answer = await onceUsers(part, () => unlessRefused('users', ask))
      return [...on, ...(answer?.body.users.map(({ email }) => email) ?? [])]
    },
    zones: async () => {
      const parsed = parseZones(await run('zones'))
      return parsed.ok ? parsed.value.zones.map(({ name }) => name) : []
    },
    configs: async () => {
      const answer = await onceConfigs('configs', () =>
        unlessRefused('configs', (signal) => call('GET /api/admin/configs', { signal })),
      )
      return answer === undefined ? [] : ['rbac', ...answer.body]
    },
  }
}
