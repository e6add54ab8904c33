import type { Account } from '../../../shared/domain/accounts/account.ts'
import type { AuditEntry, AuditLog } from '../../../shared/domain/audit/audit-log.ts'
import { createStoreAuditLog } from '../../../shared/domain/audit/store-audit-log.ts'
import { AppError } from '../../../shared/kernel/errors.ts'
import { systemIds } from '../../../shared/kernel/ids.ts'
import { createMemoryStore } from '../../../shared/platform/storage/memory-store.ts'

/** An account with this email in these groups, or in `player` without any. */
export const makeAccount = (email: string, ...groups: string[]): Account => ({
  email,
  playerId: systemIds.uuid(),
  displayName: email.slice(0, email.indexOf('@')) || 'somebody',
  groups: groups.length > 0 ? groups : ['player'],
  createdAt: '2026-01-01T00:00:00.000Z',
})

/** Stands in for the active groups: members of `admin` can administer. */
export const isInAdmin = ({ groups }: Account): boolean => groups.includes('admin')

export const auditEntryFor = (email: string, at = '2026-01-01T00:00:00.000Z'): AuditEntry => ({
  id: `${at}-${systemIds.uuid()}`,
  at,
  actor: 'operator',
  action: 'account.update',
  target: email,
  before: null,
  after: null,
  via: 'cli',
  requestId: 'request-1',
})

/** The audit log over memory, with a switch that makes it unavailable. */
export const createSwitchedAuditLog = (): AuditLog & { switchOff(): void; switchOn(): void } => {
  const audit = createStoreAuditLog(createMemoryStore())
  let isOn = true
  return {
    ...audit,
    append: async (entries) => {
      if (!isOn) throw new AppError('unavailable', 'service-unavailable', 'The audit log does not answer.')
      await audit.append(entries)
    },
    switchOff: () => {
      isOn = false
    },
    switchOn: () => {
      isOn = true
    },
  }
}
