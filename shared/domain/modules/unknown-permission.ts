import { createPermissionNames } from '../permissions/permission-names.ts'

/**
 * A message that a permission does not exist, with a similar name if there is one. Undefined for a permission of the server, and for one
 * of `own`, the permissions that the module declares. Permissions of other modules are not checked, because those may load later.
 */
export const describeUnknownPermission = (
  permission: string,
  { module, own }: { readonly module: string; readonly own: Readonly<Record<string, string>> },
): string | undefined => {
  const prefix = `module.${module}.`
  if (Object.hasOwn(own, permission) || (permission.startsWith('module.') && !permission.startsWith(prefix))) return undefined
  const names = createPermissionNames()
  names.declare(Object.keys(own))
  const unknown = names.describeUnknown(permission)
  if (unknown === undefined || unknown.includes('Did you mean') || !permission.startsWith(prefix)) return unknown
  return `Unknown permission \`${permission}\`. Add it to \`declare.permissions\`, with a description.`
}
