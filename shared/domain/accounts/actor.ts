import type { AuditEntry } from '../audit/audit-log.ts'
import type { RuleSet } from '../permissions/rules.ts'

/** Who does something, by which way, with which permissions; made at the edge, for one request or command. */
export type Actor = {
  readonly email: string
  readonly playerId: string
  readonly displayName: string
  readonly verified: boolean
  readonly rules: RuleSet
  readonly via: AuditEntry['via']
  readonly requestId: string
  /** Id of the audit entry whose write is taken back; the entry of the new write bears it. */
  readonly undoes?: string
}
