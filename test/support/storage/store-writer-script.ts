import { systemIds } from '../../../shared/kernel/ids.ts'
import { createLmdbStore } from '../../../shared/platform/storage/lmdb/lmdb-store.ts'
import { putWrite } from '../../../shared/platform/storage/store.ts'
import { counters, increment } from './counter-collection.ts'

/**
 * `count <path> <times>`: adds one to a counter, that often.
 * `commit <path> <label>`: commits three records at a time without end, eight commits at once, and prints the number of each.
 * `fill <path>`: writes until the store refuses, then prints the refusal and whether it can still read.
 */
const run = async (): Promise<void> => {
  const [mode, path = '', argument = ''] = process.argv.slice(2)
  const store = createLmdbStore({ path, ids: systemIds })
  const say = (line: string): void => {
    process.stdout.write(`${line}\n`)
  }

  const commitWithoutEnd = async (): Promise<void> => {
    let next = 0
    const stream = async (): Promise<never> => {
      for (;;) {
        next += 1
        const n = next
        await store.commit(
          ['a', 'b', 'c'].map((part) => putWrite(counters, `${argument}/${n}/${part}`, { n }, { ifVersion: null })),
        )
        say(String(n))
      }
    }
    await Promise.all(Array.from({ length: 8 }, stream))
  }

  const isRejected = (attempt: PromiseSettledResult<unknown>): attempt is PromiseRejectedResult => attempt.status === 'rejected'

  const fill = async (): Promise<void> => {
    for (let n = 0; ; n += 1) {
      const attempts = Array.from({ length: 50 }, (_, part) =>
        store.commit([
          putWrite(counters, `${n}/${part}/${'x'.repeat(400)}`, { n }),
          putWrite(counters, `${n}/${part}/${'y'.repeat(400)}`, { n }),
        ]),
      )
      const refused = (await Promise.allSettled(attempts)).filter(isRejected)
      if (refused.length === 0) {
        say(`in ${n}`)
        continue
      }
      for (let more = 0; more < 10; more += 1)
        refused.push(
          ...(await Promise.allSettled([store.put(counters, `more/${'x'.repeat(400)}/${more}`, { n })])).filter(isRejected),
        )
      say(`refused ${[...new Set(refused.map(({ reason }) => reason.kind))].join()}`)
      say(`reads ${(await store.list(counters, { limit: 1 })).records.length}`)
      return
    }
  }

  if (mode === 'count') for (let done = 0; done < Number(argument); done += 1) await increment(store, 'shared')
  else if (mode === 'commit') await commitWithoutEnd()
  else await fill()
  await store.close()
}

export const main = run()
