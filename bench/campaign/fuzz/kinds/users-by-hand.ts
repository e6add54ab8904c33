import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ask } from '../../../../test/e2e/support/api.ts'
import { waitFor } from '../../../../test/support/time/wait-for.ts'
import type { FuzzKind } from '../fuzz-kind.ts'
import { asUtf8 } from '../odd-values.ts'
import { mutateYaml } from './config-texts.ts'

const sample = `users:
  - email: boss@example.com
    playerId: 7b1ad0a0-3d0c-4d27-9b1c-6a3a3f0a9f11
    displayName: Boss
    passwordHash: $2b$10$abcdefghijklmnopqrstuuIqv0Pz3q1v0m6P4m0ZyF7mS0uI6Vd2i
    groups: [admin]
    createdAt: 2026-11-01T00:00:00.000Z
  - { email: one@example.com, playerId: 1c0c0a52-9b5d-4a0b-8b6d-6b2f0d1f2a33, displayName: One, groups: [player], createdAt: 2026-11-02T00:00:00.000Z }
`

/** A users.yaml broken by an edit by hand: sign-ins are refused or continue, and work again once it is fixed. */
export const usersByHand: FuzzKind = {
  name: 'users-by-hand',
  weight: 0.15,
  alone: true,
  fits: ({ house }) => house.configFolder !== undefined,
  make: (random) => ({ '?text': asUtf8(mutateYaml(random, sample)) }),
  send: async ({ '?text': text = '' }, { house }) => {
    const file = join(house.configFolder ?? '', 'users.yaml')
    const good = await readFile(file, 'utf8')
    const signIn = () => ask(house.url(), 'POST /auth/login', { body: { email: 'fuzz-1@example.com', password: '' } })
    await writeFile(file, text)
    const answer = await signIn()
    const unreadable = answer.body.type === '/problems/accounts-unreadable'
    const ready = await ask(house.url(), 'GET /readyz')
    const left = unreadable ? await readFile(file, 'utf8') : text
    await writeFile(file, good)
    const heals = await waitFor(async () => (await signIn()).status === 200).then(
      () => true,
      () => false,
    )
    const isRight = answer.status < 500 || (answer.status === 503 && unreadable)
    const fault =
      (isRight ? undefined : `sign-in answered ${answer.status} ${answer.text.slice(0, 200)}`) ??
      (ready.status === 200 || ready.status === 503 ? undefined : `/readyz answered ${ready.status}`) ??
      (left === text ? undefined : 'an unreadable file was overwritten') ??
      (heals ? undefined : 'sign-ins work once the file is fixed')
    return { seen: unreadable ? 'unreadable' : String(answer.status), fault }
  },
}
