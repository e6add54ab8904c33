import type { Actor } from '../../../shared/domain/accounts/actor.ts'
import { operatorRules } from '../../../shared/domain/permissions/operator-rules.ts'

/** The operator of the machine: rules of the built-in group `admin`, verified, `operator` in the audit log. */
export const createOperator = (requestId: string): Actor => ({
  email: 'operator',
  playerId: 'operator',
  displayName: 'operator',
  verified: true,
  rules: operatorRules,
  via: 'cli',
  requestId,
})
