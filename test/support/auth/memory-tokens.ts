import { createRecordTokenStore } from '../../../shared/domain/tokens/records/record-token-store.ts'
import type { TokenStore } from '../../../shared/domain/tokens/tokens.ts'
import type { Clock } from '../../../shared/kernel/clock.ts'
import type { Ids } from '../../../shared/kernel/ids.ts'
import { createMemoryStore } from '../../../shared/platform/storage/memory-store.ts'

/** A token store in memory with its own records. */
export const createMemoryTokenStore = ({ clock, ids }: { readonly clock: Clock; readonly ids: Ids }): TokenStore =>
  createRecordTokenStore({ store: createMemoryStore(), clock, ids })
