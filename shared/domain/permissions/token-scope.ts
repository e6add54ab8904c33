/** The permissions that an API token is limited to, ready to decide with. */
export type TokenScope = {
  /** As given: names, `prefix.*` or `*`. */
  readonly permissions: readonly string[]
  readonly exact: ReadonlySet<string>
  /** The part before `.*`; the empty string stands for `*`. */
  readonly prefixes: ReadonlySet<string>
}

/** What a sign-in or an API token may use of the rights of its account. */
export type SignInRights = {
  readonly verified: boolean
  /** The permissions of an API token. Undefined for a sign-in, which is not limited. */
  readonly scope: readonly string[] | undefined
}

export const rightsOf = ({
  verified,
  scope,
}: {
  readonly verified: boolean
  readonly scope?: readonly string[] | undefined
}): SignInRights => ({
  verified,
  scope,
})

export const compileScope = (permissions: readonly string[]): TokenScope => {
  const isWildcard = (permission: string) => permission === '*' || permission.endsWith('.*')
  return {
    permissions,
    exact: new Set(permissions.filter((permission) => !isWildcard(permission))),
    prefixes: new Set(permissions.filter(isWildcard).map((permission) => permission.slice(0, -1).replace(/\.$/, ''))),
  }
}

/** Whether the scope includes the permission. One look-up for each dotted part. */
export const isInScope = ({ exact, prefixes }: TokenScope, permission: string): boolean => {
  if (exact.has(permission) || prefixes.has('')) return true
  for (let dot = permission.lastIndexOf('.'); dot > 0; dot = permission.lastIndexOf('.', dot - 1))
    if (prefixes.has(permission.slice(0, dot))) return true
  return false
}
