import { createPasswordHasher } from '../../shared/domain/passwords/passwords.ts'

/** The reference of the sign-in: the same workers, busy with comparisons only. Arguments: cost, seconds. */
const [cost = 12, seconds = 10] = process.argv.slice(2).map(Number)
const hasher = createPasswordHasher({ cost })
const stored = await hasher.hash('correct horse battery staple', 'ann')
await hasher.verify('correct horse battery staple', stored, 'ann')
const until = performance.now() + seconds * 1000
const startedAt = performance.now()
let done = 0
const keepBusy = async () => {
  while (performance.now() < until) {
    await hasher.verify('correct horse battery staple', stored, 'ann')
    done += 1
  }
}
await Promise.all(Array.from({ length: 8 }, keepBusy))
process.send?.({ perSecond: done / ((performance.now() - startedAt) / 1000) })
await hasher.close()
process.disconnect()
