import { expect, it } from '@jest/globals'
import { explainAccess } from '../../../shared/domain/explain/explain-access.ts'
import { findCommandQuestion } from '../../../shared/domain/explain/question.ts'
import { createCommandFixture } from './command-fixture.ts'

/** The check of an explanation for each code of a refusal. */
const checkOf: Readonly<Record<string, string>> = {
  'command-disabled': 'switched-off',
  'missing-permission': 'permission',
  'password-sign-in-needed': 'verified',
  muted: 'sanction',
}

const states = [true, false]

/** `/say` speaks, `/kick` is privileged, `/announce` is both. */
it.each(['say', 'kick', 'announce'])(
  'explains /%s by the first check that the server fails, whatever other checks would fail',
  async (name) => {
    const { addAccount, run, permissions, deps, executor, callerFor } = createCommandFixture()
    const root = await addAccount('root@example.org', { groups: ['admin'], password: 'correct horse', displayName: 'Root' })
    permissions.replace({
      groups: [{ name: 'speaker', permissions: [`command.${name}`] }],
      defaultGroups: [],
    })
    const question = findCommandQuestion(name)
    if (question === undefined) throw new Error('there is no such command')
    let at = 0
    for (const isMuted of states)
      for (const isOff of states)
        for (const isHeld of states)
          for (const hasPassword of states)
            for (const verified of states) {
              at += 1
              const account = await addAccount(`p${at}@example.org`, {
                displayName: `P${at}`,
                groups: isHeld ? ['speaker'] : [],
                ...(hasPassword && { password: 'correct horse' }),
              })
              if (isMuted) await run(root, `/mute P${at} 10m shouting`)
              if (isOff) await run(root, `/command:disable ${name} P${at}`)
              const { ok, data } = await executor.execute(await callerFor(account, verified), `/${name} nobody`)
              const refusal = checkOf[ok ? '' : ((data as { code?: string }).code ?? '')]
              const { allowed, checks } = await explainAccess(deps, account, question, { verified, at: {} })
              const facts = { isMuted, isOff, isHeld, hasPassword, verified }
              expect({ ...facts, refusal, allowed }).toEqual({
                ...facts,
                refusal: checks.find((check) => !check.ok)?.check,
                allowed: refusal === undefined,
              })
            }
  },
)
