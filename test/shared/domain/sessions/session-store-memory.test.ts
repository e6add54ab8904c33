import { createMemorySessionStore } from '../../../../shared/domain/sessions/session-store-memory.ts'
import { systemClock } from '../../../../shared/kernel/clock.ts'
import { sessionStoreContract } from '../../../contracts/session-store-contract.ts'

sessionStoreContract('memory', async () => ({
  sessions: createMemorySessionStore({ clock: systemClock }),
  close: async () => undefined,
}))
