import { expect, it } from '@jest/globals'
import { createMemoryStore } from '../../../shared/platform/storage/memory-store.ts'
import { findMigration } from '../../../shared/services/migration-record.ts'

it('reads the record of a migration that an earlier version stopped, with its checkpoint', async () => {
  const store = createMemoryStore()
  const begun = {
    id: '00000000-0000-4000-8000-000000000001',
    from: 'the data folder /data',
    sourceId: 'a',
    startedAt: '2026-11-01T00:00:00.000Z',
    checkpoint: { part: 'accounts', done: 3, after: 'x' },
  }
  await store.put({ name: 'migrations', parse: (stored) => stored }, 'into-here', begun)
  expect(await findMigration(store)).toMatchObject({ id: begun.id })
})
