import { createStoreAuditLog } from '../../../shared/domain/audit/store-audit-log.ts'
import { AppError } from '../../../shared/kernel/errors.ts'
import type { Store } from '../../../shared/platform/storage/store.ts'

/** A store and its audit log, with a switch that makes the audit log and all commits with an entry unavailable. */
export const createSwitchedStore = (store: Store) => {
  let isOn = true
  const switched: Store = {
    ...store,
    commit: async (writes) => {
      if (!isOn && writes.some(({ collection }) => collection === 'audit'))
        throw new AppError('unavailable', 'service-unavailable', 'The audit log does not answer.')
      return store.commit(writes)
    },
  }
  const audit = {
    ...createStoreAuditLog(store),
    switchOff: () => {
      isOn = false
    },
    switchOn: () => {
      isOn = true
    },
  }
  return { store: switched, audit }
}
