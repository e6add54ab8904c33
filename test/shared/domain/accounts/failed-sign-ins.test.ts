import { expect, it } from '@jest/globals'
import { createFailedSignInLog } from '../../../../shared/domain/accounts/failed-sign-ins.ts'
import { createMemoryStore } from '../../../../shared/platform/storage/memory-store.ts'
import { createFixedClock } from '../../../support/time/fixed-clock.ts'

it('failed sign-ins of many unknown emails at once do not share one record', async () => {
  const log = createFailedSignInLog({ store: createMemoryStore(), clock: createFixedClock() })
  const emails = Array.from({ length: 32 }, (_, at) => `nobody-${at}@example.com`)
  const noted = await Promise.allSettled(emails.map((email) => log.noteFailure({ email })))
  expect(noted.filter(({ status }) => status === 'rejected')).toEqual([])
})
