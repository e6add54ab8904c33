import { describe, expect, it } from '@jest/globals'
import type { Actor } from '../../../../../shared/domain/accounts/actor.ts'
import { auditConfigSave } from '../../../../../shared/domain/configs/editor/config-save-audit.ts'
import { systemIds } from '../../../../../shared/kernel/ids.ts'
import { rulesOf } from '../../../../support/accounts/groups.ts'
import { createFixedClock } from '../../../../support/time/fixed-clock.ts'

const actor: Actor = {
  email: 'ann@example.com',
  playerId: 'ann',
  displayName: 'Ann',
  verified: true,
  rules: rulesOf('*'),
  via: 'http',
  requestId: 'r',
}

describe('the audit entry of a save', () => {
  it('has at most fifty pointers, each cut at 200 characters, and counts the rest', () => {
    const changes = Array.from({ length: 60 }, (_, at) => ({
      pointer: `/http/${at}/${'x'.repeat(1000)}`,
      from: null,
      to: 'kept out',
      effect: 'reload' as const,
    }))
    const save = { name: 'server.yaml', before: undefined, text: 'é', etag: 'tag', changes, omitted: 7 } as const
    const { before, after } = auditConfigSave({ clock: createFixedClock(), ids: systemIds }, actor, save)
    expect(before).toBeNull()
    const changed = changes.slice(0, 50).map(({ pointer }) => pointer.slice(0, 200))
    expect(after).toEqual({ etag: 'tag', bytes: 2, changed, more: 17 })
  })
})
