import { decidePermission } from '../../shared/domain/permissions/decide-permission.ts'
import type { Session } from './session.ts'

/** Whether the player holds `world.fly`, as a message tells it: true, or absent. */
export const tellMayFly = ({ rules, verified }: Pick<Session, 'rules' | 'verified'>): { readonly mayFly?: true } =>
  decidePermission(rules, 'world.fly', { verified, privileged: false }).allowed ? { mayFly: true } : {}
