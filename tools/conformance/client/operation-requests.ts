import type { Need } from '../check.ts'
import type { Caller } from '../clean-up.ts'
import type { ApiDescription, JsonSchema, Operation } from '../rules/api-description.ts'

/** Ids and names that do not exist. */
const nobodysId = '5f1d7a52-6d33-4b8e-9c5a-0d4f1b2c3d4e'
const nobodysNames = ['conformance-nobody@example.com', 'conformance-nobody']

/** A valid value for a parameter. If it is a name, nothing has this name. */
const valueOfNothing = ({ format, type, pattern, examples }: JsonSchema): string => {
  if (format === 'uuid') return nobodysId
  if (type === 'integer') return '0'
  const known = Array.isArray(examples) ? examples.map(String) : []
  const fits = (value: string): boolean => typeof pattern !== 'string' || new RegExp(pattern, 'u').test(value)
  return [...nobodysNames, ...known].find(fits) ?? nobodysId
}

/** The address of an operation, with unknown names for its parameters. */
export const addressOfNothing = ({ path, parameters }: Operation): string =>
  path.replaceAll(/\{([^}]*)\}/g, (_whole, name: string) => {
    const parameter = parameters.find((one) => one.in === 'path' && one.name === name)
    return encodeURIComponent(valueOfNothing(parameter?.schema ?? {}))
  })

/** The caller whose request passes the permission check, so that the operation reads its input. */
export const callerFor = ({ permission, path }: Operation): { readonly as: Caller; readonly need: Need } => {
  if (permission === 'none') return { as: 'nobody', need: 'nothing' }
  // An administrator has the other permissions that handlers check.
  return permission === 'signed-in' && !path.startsWith('/api/admin/')
    ? { as: 'player', need: 'write' }
    : { as: 'administrator', need: 'administrator' }
}

/** The schema of an operation's JSON body; undefined without one. */
export const jsonBodyOf = ({ requestBody }: Operation): JsonSchema | undefined => requestBody?.content['application/json']?.schema

/** The operations with a JSON body. */
export const operationsWithJson = ({ operations }: ApiDescription): readonly (readonly [Operation, JsonSchema])[] =>
  operations.flatMap((operation) => {
    const schema = jsonBodyOf(operation)
    return schema === undefined ? [] : [[operation, schema] as const]
  })

/** A body with which only the credential can be wrong. An empty object changes nothing anywhere. */
export const harmlessBody = ({ requestBody }: Operation): { readonly json?: unknown; readonly yaml?: string } => {
  if (requestBody === undefined) return {}
  return 'application/json' in requestBody.content ? { json: {} } : { yaml: '' }
}
