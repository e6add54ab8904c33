import { Type } from '@sinclair/typebox'
import { check, feature } from '../check.ts'
import { configWhitelist } from '../client/read-config.ts'
import { expectBody, expectStatus, expectThat, showAnswer } from '../report/expectations.ts'

export const reload = feature('Reload', [
  check(
    'write',
    'reports active configs, those that wait for a restart, broken ones, and settings of modules',
    async ({ ask }) => {
      const answer = await ask('administrator', 'POST /api/admin/reload')
      expectStatus(answer, 200)
      const names = Type.Array(Type.String())
      const { reloaded } = expectBody(
        answer,
        Type.Object({
          reloaded: names,
          changed: names,
          restartNeeded: names,
          failed: Type.Array(Type.Unknown()),
          modules: Type.Array(Type.Unknown()),
          warnings: names,
        }),
      )
      expectThat(
        reloaded.every((name) => configWhitelist.includes(name)),
        'names of configs',
        () => showAnswer(answer),
      )
    },
  ),
])
