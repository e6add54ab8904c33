import { randomUUID } from 'node:crypto'
import type { Account } from '../../shared/domain/accounts/account.ts'
import { formatEntry } from '../../shared/domain/accounts/store/users-file/users-file-entry.ts'

export const makeAccount = (name: string): Account => ({
  email: `${name}@example.com`,
  playerId: randomUUID(),
  displayName: `User ${name}`,
  passwordHash: `$2b$12$${'a'.repeat(53)}`,
  groups: ['player'],
  createdAt: '2026-01-01T00:00:00.000Z',
})

/** A `users.yaml` of `count` accounts: user0@example.com and so on. */
export const makeUsersText = (count: number, make: (name: string) => Account = makeAccount): string =>
  `users:\n${Array.from({ length: count }, (_, at) => formatEntry(make(`user${at}`), 2)).join('')}`

/** An account whose sign-in needs no hash. */
export const makeAccountWithoutPassword = (name: string): Account => {
  const { passwordHash: _none, ...account } = makeAccount(name)
  return account
}
