import type { AuditEntry } from '../audit/audit-log.ts'

/** The audit entry of an announcement. */
export const announcementEntry = (text: string): Pick<AuditEntry, 'action' | 'target' | 'before' | 'after'> => ({
  action: 'announcement',
  target: 'everybody',
  before: null,
  after: { text },
})
