import { type Check, check, feature } from '../check.ts'
import { headerOf } from '../client/http-client.ts'
import { expectEqual, expectEtag, expectNoBody, expectStatus } from '../report/expectations.ts'
import { Skipped } from '../report/skipped.ts'

/** Answers that must have an entity tag, and how to get one of them. */
const tagged: readonly {
  readonly what: string
  readonly need: Check['need']
  readonly find: (kit: Parameters<Check['run']>[0]) => Promise<string>
}[] = [
  { what: '/api/openapi.json', need: 'nothing', find: async () => '/api/openapi.json' },
  { what: '/api/classes', need: 'nothing', find: async () => '/api/classes' },
  { what: 'A config', need: 'administrator', find: async () => '/api/admin/configs/groups.yaml' },
  { what: 'A schema', need: 'administrator', find: async () => '/api/admin/schemas/groups.schema.json' },
  {
    what: 'An account',
    need: 'administrator',
    find: async ({ email }) => {
      if (email === undefined) throw new Skipped('needs the administrator’s email')
      return `/api/admin/users/${encodeURIComponent(email)}`
    },
  },
  {
    what: 'A zone',
    need: 'write',
    find: async ({ fixtures }) => `/api/admin/instances/${(await fixtures.zone()).id}`,
  },
]

export const entityTags = feature(
  'Entity tags',
  tagged.flatMap(({ what, need, find }) => {
    const as = need === 'nothing' ? 'nobody' : 'administrator'
    return [
      check(need, `${what} has a strong tag, and If-None-Match with it returns 304 without a body`, async (kit) => {
        const target = await find(kit)
        const full = await kit.ask(as, `GET ${target}`)
        const tag = expectEtag(full)
        for (const value of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
          const answer = await kit.ask(as, `GET ${target}`, { headers: { 'If-None-Match': value } })
          expectStatus(answer, 304)
          expectNoBody(answer)
          expectEqual('the ETag', headerOf(answer, 'ETag'), tag)
        }
      }),
      check(need, `${what} is returned whole for another tag`, async (kit) => {
        const target = await find(kit)
        for (const value of ['"other"', 'other']) {
          const answer = await kit.ask(as, `GET ${target}`, { headers: { 'If-None-Match': value } })
          expectStatus(answer, 200)
        }
      }),
    ]
  }),
)
