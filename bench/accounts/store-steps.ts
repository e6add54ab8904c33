import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AccountStore } from '../../shared/domain/accounts/store/account-store.ts'
import { createYamlAccountStore } from '../../shared/domain/accounts/store/users-file/yaml-account-store.ts'
import { median } from '../result.ts'
import { makeAccount, makeUsersText } from './users-text.ts'

/**
 * In a separate process: steps of the account store with `count` accounts, each with its time and the longest hold of the loop.
 */
const count = Number(process.argv[2])

export type StoreSteps = {
  readonly steps: readonly StoreStep[]
  readonly rssMb: number
}
/** `loopMs` and `heldMs` are processor time of the loop's thread on Linux, so that other work on the machine does not count. */
type StoreStep = { readonly step: string; readonly ms: number; readonly loopMs: number; readonly heldMs: number }

const schedule = `/proc/self/task/${process.pid}/schedstat`
const loopNow = existsSync(schedule)
  ? () => Number(readFileSync(schedule, 'latin1').split(' ', 1)[0]) / 1e6
  : () => performance.now()

let longestMs = 0
let lastBeat = loopNow()
const beat = setInterval(() => {
  const now = loopNow()
  longestMs = Math.max(longestMs, now - lastBeat)
  lastBeat = now
}, 1)

const steps: StoreStep[] = []
const measure = async (step: string, run: () => Promise<unknown>): Promise<void> => {
  await new Promise((resolve) => setTimeout(resolve, 20))
  lastBeat = loopNow()
  longestMs = 0
  const [startedAt, loopBefore] = [performance.now(), loopNow()]
  await run()
  const [ms, loopMs] = [performance.now() - startedAt, loopNow() - loopBefore]
  await new Promise((resolve) => setTimeout(resolve, 5))
  steps.push({ step, ms, loopMs, heldMs: longestMs })
}

/** Runs a step repeatedly; returns medians, and the longest hold of all. */
const measureMany = async (step: string, times: number, run: () => Promise<unknown>): Promise<void> => {
  const first = steps.length
  for (let time = 0; time < times; time += 1) await measure(step, run)
  const all = steps.splice(first)
  const [ms, loopMs] = [median(all.map((one) => one.ms)), median(all.map((one) => one.loopMs))]
  steps.push({ step, ms, loopMs, heldMs: Math.max(...all.map(({ heldMs }) => heldMs)) })
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
await measureMany('new account', 100, () => add(store, randomUUID().slice(0, 13))())
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
