import type { TokenStore } from '../../../shared/domain/tokens/tokens.ts'
import { createRecordTokenStore } from '../../../shared/domain/tokens/tokens-in-records.ts'
import type { Clock } from '../../../shared/kernel/clock.ts'
import type { Ids } from '../../../shared/kernel/ids.ts'
import { createMemoryStore } from '../../../shared/platform/storage/memory-store.ts'

/** Tokens in a record store of their own, in memory. */
export const createMemoryTokenStore = ({ clock, ids }: { readonly clock: Clock; readonly ids: Ids }): TokenStore =>
  createRecordTokenStore({ store: createMemoryStore(), clock, ids })
