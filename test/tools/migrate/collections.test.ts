import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { lastingCollections, revisionCollections } from '../../../tools/migrate/parts/part.ts'

/** Collections that are not moved, each with its reason. */
const otherCollections: Readonly<Record<string, string>> = {
  'world-leases': 'of the moment: who runs a world now',
  'module-fences': 'of the moment: which holder of a world may write values of modules',
  'report-times': 'of the moment: who reported in the last ten minutes',
  'departed-scans': 'of the moment: where the search for players without an account continues',
  'command-switches': 'of the moment: whose commands were switched last, for nodes that run',
  'world-imports': 'of the moment: an import that was killed in the data folder',
  'password-costs': 'of the moment: the highest cost of a password hash that was seen',
  'config-reloads': 'of the moment: which reload the processes that run have seen',
  'metric-days': 'of the moment: the load of the last day, for charts',
  tokens: 'of the moment: sign-ins of one process; people sign in again',
  'token-owners': 'of the moment: sign-ins of one process',
  'token-accounts': 'of the moment: which sign-ins were ended',
  'token-revocations': 'of the moment: which sign-ins were ended in the last ten minutes',
  'token-secrets': 'of the moment: sign-ins that were begun at an identity provider, and the claim',
  'process-secrets': 'made anew: what processes on one store know each other by',
  migrations: 'what is known of a migration into this very place',
  accounts: 'made anew with each account',
  'account-players': 'made anew with each account',
  'account-subjects': 'made anew with each account',
  'account-members': 'made anew with each account',
  'account-names': 'made anew with each account',
  'account-name-bearers': 'made anew with each account',
  'account-group-sets': 'made anew with each account',
  'account-grant-ends': 'made anew with each account',
  'account-versions': 'made anew with each account',
}

const root = resolve(import.meta.dirname, '../../..')

const sources = ['functions', 'realtime', 'shared', 'infra', 'tools'].flatMap((folder) =>
  readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8')),
)

/** Every collection in the code, declared by `createCollection` or as a value of the type `Collection`. */
const declared = sources.flatMap((source) => [
  ...[...source.matchAll(/createCollection\(\s*'([^']+)'/g)].map((match) => match[1]),
  ...[...source.matchAll(/: Collection<[^=]*> = \{\s*name: '([^']+)'/g)].map((match) => match[1]),
])

describe('the collections of the Store', () => {
  it('are each migrated, or left behind for a reason', () => {
    const decided = [...lastingCollections.map(({ name }) => name), ...revisionCollections, ...Object.keys(otherCollections)]
    expect([...new Set(declared)].sort()).toEqual([...decided].sort())
    expect(new Set(decided).size).toBe(decided.length)
  })
})
