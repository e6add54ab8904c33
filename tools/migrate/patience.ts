import { setTimeout as sleep } from 'node:timers/promises'
import { AppError } from '../../shared/kernel/errors.ts'
import { chunkMax, chunkMin } from '../../shared/rules/positions.ts'
import type { SourcePlace, TargetPlace } from './places/place.ts'

/** Does something once more when DynamoDB throttles, or is away for a moment. */
export type Patiently = <T>(run: () => Promise<T>) => Promise<T>

type PatienceDeps = {
  /** Pauses between the tries, in milliseconds. */
  readonly pausesMs?: readonly number[]
  readonly complain: (text: string) => void
  readonly signal: AbortSignal
}

/** Half a minute: whoever is away for longer is told of to a person. */
const usualPausesMs = [500, 1000, 2000, 4000, 8000, 15_000] as const

const mayPass = (error: unknown): error is AppError =>
  error instanceof AppError && error.kind === 'unavailable' && error.retryAfterSeconds !== undefined

export const createPatience = ({ pausesMs = usualPausesMs, complain, signal }: PatienceDeps): Patiently => {
  let isWaiting = false
  return async (run) => {
    for (let attempt = 0; ; attempt += 1) {
      try {
        const answer = await run()
        isWaiting = false
        return answer
      } catch (error) {
        const pauseMs = pausesMs[attempt]
        if (!mayPass(error) || pauseMs === undefined || signal.aborted) throw error
        if (!isWaiting) complain('DynamoDB does not answer, or asks for patience; trying on.\n')
        isWaiting = true
        await sleep(pauseMs, undefined, { signal })
      }
    }
  }
}

const everywhere = { minCx: chunkMin, maxCx: chunkMax, minCz: chunkMin, maxCz: chunkMax }

/** Begins again behind the last row that came. */
const listRowsPatiently = (chunks: SourcePlace['chunks'], patiently: Patiently): SourcePlace['chunks']['discovered'] =>
  async function* (world, box = everywhere) {
    let { minCx } = box
    const open = () => chunks.discovered(world, { ...box, minCx })[Symbol.asyncIterator]()
    let rows = open()
    const step = async () => {
      try {
        return await rows.next()
      } catch (error) {
        rows = open()
        throw error
      }
    }
    for (;;) {
      const { done, value } = await patiently(step)
      if (done) return
      minCx = value.cx + 1
      yield value
    }
  }

/** The place with patience for each page and record that is read. */
export const readPatiently = (place: SourcePlace, patiently: Patiently): SourcePlace => {
  const { store, chunks, accounts, configs } = place
  return {
    ...place,
    store: {
      get: (collection, id) => patiently(() => store.get(collection, id)),
      list: (collection, options) => patiently(() => store.list(collection, options)),
    },
    chunks: {
      getMany: (world, positions) => patiently(() => chunks.getMany(world, positions)),
      getSide: (world, keys) => patiently(() => chunks.getSide(world, keys)),
      listSide: (world, prefix, page) => patiently(() => chunks.listSide(world, prefix, page)),
      stats: (world) => patiently(() => chunks.stats(world)),
      discovered: listRowsPatiently(chunks, patiently),
      listSetAside: chunks.listSetAside,
    },
    accounts: { listAccounts: (query) => patiently(() => accounts.listAccounts(query)) },
    configs: {
      findInForce: (name) => patiently(() => configs.findInForce(name)),
      listEarlier: (name) => patiently(() => configs.listEarlier(name)),
      findEarlier: (name, revision) => patiently(() => configs.findEarlier(name, revision)),
    },
  }
}

/** The place with patience for what is written too; each of these may be done twice. */
export const writePatiently = (place: TargetPlace, patiently: Patiently): TargetPlace => {
  const { store, chunks, accounts, configs } = place
  const reading = readPatiently(place, patiently)
  return {
    ...place,
    store: {
      ...store,
      ...reading.store,
      put: (collection, id, value, precondition) => patiently(() => store.put(collection, id, value, precondition)),
      delete: (collection, id, precondition) => patiently(() => store.delete(collection, id, precondition)),
    },
    chunks: {
      ...chunks,
      ...reading.chunks,
      putMany: (world, records, fence, beside) => patiently(() => chunks.putMany(world, records, fence, beside)),
    },
    accounts: {
      ...accounts,
      ...reading.accounts,
      change: (email, decide) => patiently(() => accounts.change(email, decide)),
    },
    configs: { ...reading.configs, putInForce: (name, text) => patiently(() => configs.putInForce(name, text)) },
  }
}
