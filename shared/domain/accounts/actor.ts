import type { AuditEntry } from '../audit/audit-log.ts'
import type { RuleSet } from '../permissions/rules.ts'

/** The caller of a change, with their permissions; created at the edge for one request or command. */
export type Actor = {
  readonly email: string
  readonly playerId: string
  readonly displayName: string
  readonly verified: boolean
  readonly rules: RuleSet
  readonly via: AuditEntry['via']
  readonly requestId: string
  /** Id of the audit entry whose change is undone; the new audit entry repeats it. */
  readonly undoes?: string
  /** Email of the account that a deleted account is merged into; the audit entry repeats it. */
  readonly mergedInto?: string
}
