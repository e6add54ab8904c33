import type { AuditEntry } from '../audit/audit-log.ts'

/** A notice to all players, or to those in one world or zone. */
export type Announcement = { readonly text: string; readonly world?: string | undefined; readonly zone?: string | undefined }

/** The audit entry of an announcement. */
export const announcementEntry = ({
  text,
  world,
  zone,
}: Announcement): Pick<AuditEntry, 'action' | 'target' | 'before' | 'after'> => ({
  action: 'announcement',
  target: zone ?? world ?? 'everybody',
  before: null,
  after: { text, ...(world !== undefined && { world }), ...(zone !== undefined && { zone }) },
})
