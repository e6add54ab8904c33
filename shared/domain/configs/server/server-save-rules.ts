import { AppError } from '../../../kernel/errors.ts'
import { coversRules } from '../../permissions/covers-rules.ts'
import { decidePermission } from '../../permissions/decide-permission.ts'
import { operatorRules } from '../../permissions/operator-rules.ts'
import type { RuleSet } from '../../permissions/rules.ts'
import { findDifferences } from '../compare/list-changes.ts'
import { findChangePermission, type ServerConfig } from './server-config.ts'

/** The stored `server.yaml`, and the new one. */
export type ServerTransition = { readonly current: ServerConfig; readonly next: ServerConfig }

const isOpened = ({ current, next }: ServerTransition): boolean =>
  current.auth.local.requirePassword && !next.auth.local.requirePassword

/** A key with the permission needed to change it. */
type Need = { readonly key: string; readonly permission: string }

const asKey = (pointer: string): string => pointer.slice(1).replaceAll('/', '.')

const listNeeds = (transition: ServerTransition): readonly Need[] => {
  const { current, next } = transition
  const changed = Array.from(findDifferences([current, next, undefined]), ({ pointer }) => pointer)
  const needs = changed.flatMap((pointer): Need[] => {
    const permission = findChangePermission(pointer)
    return permission === undefined ? [] : [{ key: asKey(pointer), permission }]
  })
  return isOpened(transition) ? [{ key: 'auth.local.requirePassword', permission: '*' }, ...needs] : needs
}

const holds = (actor: RuleSet, permission: string): boolean =>
  permission === '*'
    ? coversRules(actor, operatorRules)
    : decidePermission(actor, permission, { verified: true, privileged: true }).allowed

/**
 * Throws `forbidden` if a key changes whose permission `actor` lacks: `beyond-own-permissions` if that is every permission, otherwise
 * `missing-permission`. Turning `requirePassword` off also needs every permission. Removing a key changes it to its default.
 */
export const refuseForeignSettings = (actor: RuleSet, transition: ServerTransition): void => {
  const lacking = listNeeds(transition).filter(({ permission }) => !holds(actor, permission))
  const [first] = lacking.toSorted((one, other) => Number(other.permission === '*') - Number(one.permission === '*'))
  if (first === undefined) return
  const { permission } = first
  const keys = [...new Set(lacking.filter((need) => need.permission === permission).map(({ key }) => key))].join(', ')
  throw new AppError(
    'forbidden',
    permission === '*' ? 'beyond-own-permissions' : 'missing-permission',
    `Changing ${keys} in server.yaml needs the permission "${permission}". Keep the current value, or ask an admin with that permission.`,
  )
}
