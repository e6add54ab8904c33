import { join } from 'node:path'
import { operatorRules } from '../../shared/domain/permissions/operator-rules.ts'
import { createPermissions } from '../../shared/domain/permissions/permissions.ts'
import { createSanctionService } from '../../shared/domain/sanctions/create-sanction-service.ts'
import { followSanctions } from '../../shared/domain/sanctions/in-force/follow-sanctions.ts'
import { systemClock } from '../../shared/kernel/clock.ts'
import { systemIds } from '../../shared/kernel/ids.ts'
import { createMemoryEventBus } from '../../shared/platform/events/memory-events.ts'
import { createLmdbStore } from '../../shared/platform/storage/lmdb/lmdb-store.ts'
import { silentLog } from '../../test/support/time/silent-log.ts'
import { createDataDir, signIn, startGatehouse } from '../gatehouse-process.ts'
import { type Bench, median, round } from '../result.ts'

const bans = 10_000
const rounds = 15
const signInsPerRound = 200
const atOnce = 8
const target = 0.97

const serverConfig = `http: {rateLimits: {signInPerMinutePerAccount: 1000000, signInPerMinutePerAddress: 1000000, requestsPerMinutePerAddress: 1000000}}
`

/** Bans that many addresses, of four lengths, in a data folder without a running process. */
const banAddresses = async (dataDir: string): Promise<void> => {
  const parts = { clock: systemClock, ids: systemIds, log: silentLog }
  const store = createLmdbStore({ path: join(dataDir, 'records'), ids: systemIds })
  const events = createMemoryEventBus({ log: silentLog })
  const inForce = followSanctions({ ...parts, store, events })
  const sanctions = createSanctionService({
    ...parts,
    store,
    events,
    inForce,
    permissions: createPermissions({ groups: [], defaultGroups: [] }),
    accountStore: { findByEmail: async () => undefined, isAdministrator: () => false, listAdministrators: async () => [] },
    tokens: { endAccount: async () => undefined },
  })
  const who = { email: 'operator', playerId: 'operator', displayName: 'operator', verified: true, requestId: 'bench' }
  const actor = { ...who, rules: operatorRules, via: 'cli' } as const
  for (let n = 0; n < bans; n += 1) {
    const [high, low] = [Math.floor(n / 250), n % 250]
    const address = [`10.${high}.${low}.1`, `11.${high}.${low}.0/24`, `2001:db8:${high}:${low}::/64`, `12.${high}.${low}.16/28`][
      n % 4
    ]
    await sanctions.impose(actor, { kind: 'ban', address: address ?? '', reason: 'bench' })
  }
  await store.close()
}

/** Sign-ins a second without passwords, to isolate the cost of bans. */
const measure = async (url: string): Promise<number> => {
  const startedAt = performance.now()
  let left = signInsPerRound
  const work = async (lane: number): Promise<void> => {
    for (; left > 0; left -= 1) await signIn(url, `lane${lane}@example.com`)
  }
  await Promise.all(Array.from({ length: atOnce }, (_, lane) => work(lane)))
  return (signInsPerRound / (performance.now() - startedAt)) * 1000
}

/**
 * Benchmarks two servers in turns, one with 10,000 bans of addresses and one without. It cannot show bans by name, which are read
 * with the account.
 */
export const bannedSignIn: Bench = {
  name: 'banned-sign-in',
  run: async () => {
    const [banned, free] = [
      await createDataDir({ 'server.yaml': serverConfig }),
      await createDataDir({ 'server.yaml': serverConfig }),
    ]
    await banAddresses(banned.path)
    const [withBans, withNone] = [
      await startGatehouse('infra/local.ts', { DATA_DIR: banned.path }),
      await startGatehouse('infra/local.ts', { DATA_DIR: free.path }),
    ]
    try {
      for (const { url } of [withBans, withNone]) await measure(url)
      const ratios: number[] = []
      const [rates, references]: [number[], number[]] = [[], []]
      for (let turn = 0; turn < rounds; turn += 1) {
        const order = turn % 2 === 0 ? [withBans, withNone] : [withNone, withBans]
        const measured = new Map<string, number>()
        for (const { url } of order) measured.set(url, await measure(url))
        const [rate = 0, reference = 1] = [measured.get(withBans.url), measured.get(withNone.url)]
        rates.push(rate)
        references.push(reference)
        ratios.push(rate / reference)
      }
      const ratio = median(ratios)
      return [
        {
          bench: 'banned-sign-in',
          figure: `sign-ins with ${bans} bans of addresses`,
          unit: 'sign-ins/s',
          value: round(median(rates), 1),
          reference: { name: 'with none', value: round(median(references), 1) },
          ratio: round(ratio),
          target: `at least ${target}`,
          met: ratio >= target,
        },
      ]
    } finally {
      await Promise.all([withBans.stop(), withNone.stop()])
      await Promise.all([banned.remove(), free.remove()])
    }
  },
}
