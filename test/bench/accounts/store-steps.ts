import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AccountStore } from '../../../shared/accounts/store/account-store.ts'
import { createYamlAccountStore } from '../../../shared/accounts/store/users-file/yaml-account-store.ts'
import { makeAccount, makeUsersText } from './users-text.ts'

/** One process alone: steps of the accounts store beside `count` accounts, each with its time and the longest hold of the loop in it. */
const count = Number(process.argv[2])

export type StoreSteps = {
  readonly steps: readonly { readonly step: string; readonly ms: number; readonly heldMs: number }[]
  readonly rssMb: number
}

let longestMs = 0
let lastBeat = performance.now()
const beat = setInterval(() => {
  const now = performance.now()
  longestMs = Math.max(longestMs, now - lastBeat)
  lastBeat = now
}, 1)

const steps: StoreSteps['steps'][number][] = []
const measure = async (step: string, run: () => Promise<unknown>): Promise<void> => {
  await new Promise((resolve) => setTimeout(resolve, 20))
  lastBeat = performance.now()
  longestMs = 0
  const startedAt = performance.now()
  await run()
  const ms = performance.now() - startedAt
  await new Promise((resolve) => setTimeout(resolve, 5))
  steps.push({ step, ms, heldMs: longestMs })
}

const dir = await mkdtemp(join(tmpdir(), 'gatehouse-bench-accounts-'))
const path = join(dir, 'users.yaml')
await writeFile(path, makeUsersText(count))
const openStore = (): AccountStore =>
  createYamlAccountStore({
    path,
    isAdministrator: ({ groups }) => groups.includes('admin'),
    audit: { append: async () => undefined } as never,
    clock: { now: () => new Date(), monotonic: () => performance.now() } as never,
    log: { error: () => undefined } as never,
  })
const add = (store: AccountStore, name: string) => () =>
  store.change(`${name}@example.com`, () => ({ next: makeAccount(name), result: undefined, ownName: true }))
const find = (store: AccountStore) => () => store.findByEmail('user5@example.com')

const before = process.memoryUsage().rss
const store = openStore()
const other = openStore()
await measure('first read', find(store))
await measure('read again', find(store))
await measure('new account, first', add(store, 'new1'))
await measure('new account', add(store, 'new2'))
await measure('new account', add(store, 'new3'))
await measure('administrators', () => store.listAdministrators())
await other.findByEmail('nobody@example.com')
await add(other, 'beside1')()
await add(other, 'beside2')()
await measure('read after another process added an account', find(store))
await measure('change of one account', () =>
  store.change(`user7@example.com`, (current) => ({ next: current && { ...current, groups: ['builder'] }, result: undefined })),
)
clearInterval(beat)
const rssMb = (process.memoryUsage().rss - before) / 1e6
process.send?.({ steps, rssMb })
await store.close()
await other.close()
await rm(dir, { recursive: true })
process.disconnect?.()
