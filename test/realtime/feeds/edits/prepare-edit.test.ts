import { describe, expect, it } from '@jest/globals'
import { createPrepareEdit } from '../../../../realtime/feeds/edits/prepare-edit.ts'
import { createFeedAudit } from '../../../../realtime/feeds/feed-audit.ts'
import { createStoreAuditLog } from '../../../../shared/domain/audit/store-audit-log.ts'
import { AppError } from '../../../../shared/kernel/errors.ts'
import { createMemoryStore } from '../../../../shared/platform/storage/memory-store.ts'
import { createFeedFixture } from '../../../support/feeds/feed-fixture.ts'

describe('an edit whose audit entry is written late', () => {
  it('is refused with the reason, releases its columns, and is logged when the entry fails', async () => {
    const node = await createFeedFixture()
    const full = async () => {
      throw new AppError('unavailable', 'storage-full', 'The disk is full.')
    }
    const audit = createFeedAudit({ ...node, audit: createStoreAuditLog({ ...createMemoryStore(), commit: full }) })
    const { registry, loaded } = node.world
    const preparation = createPrepareEdit({
      registry,
      loaded,
      audit,
      log: node.log,
      findRefusal: () => undefined,
      readZone: async () => node.zone,
    })
    const account = await node.addAccount('ann', ['editor'])
    const editor = { account, requestId: 'r', zoneId: node.zone.id }
    let released = 0
    const ready = {
      zone: node.zone,
      rejected: [],
      isAudited: false,
      changes: [{ x: 0, y: 80, z: 0, index: 1 }],
      release: () => {
        released += 1
      },
    }
    expect(await preparation.auditLate(editor, ready)).toEqual({ reason: 'storage-full', rejected: [] })
    expect(released).toBe(1)
    expect(node.lines.map(({ msg }) => msg)).toContain('an edit of a feed could not be prepared')
    await node.close()
  })
})
