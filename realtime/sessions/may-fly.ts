import { decidePermission } from '../../shared/domain/permissions/decide-permission.ts'
import type { Session } from './session.ts'

/** The field `mayFly` of a message: true if the player has `world.fly`, otherwise absent. */
export const tellMayFly = ({ rules, verified }: Pick<Session, 'rules' | 'verified'>): { readonly mayFly?: true } =>
  decidePermission(rules, 'world.fly', { verified, privileged: false }).allowed ? { mayFly: true } : {}
