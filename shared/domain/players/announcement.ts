import type { AuditEntry } from '../audit/audit-log.ts'

/** What the audit log says of an announcement. */
export const announcementEntry = (text: string): Pick<AuditEntry, 'action' | 'target' | 'before' | 'after'> => ({
  action: 'announcement',
  target: 'everybody',
  before: null,
  after: { text },
})
