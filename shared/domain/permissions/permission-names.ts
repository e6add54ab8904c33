import { findNearName } from '../../kernel/find-near-name.ts'
import { knownCommands } from './known-commands.ts'
import { knownPermissions } from './known-permissions.ts'

/** Names below this prefix belong to modules. A module declares its names when it loads. */
const modulePrefix = 'module.'

/** Whether a rule of a group, with or without its `-`, is about the permissions of modules. */
export const isOfModule = (rule: string): boolean => /^-?module\./.test(rule)

/** The permissions that this process knows: its own, and those of modules. */
export type PermissionNames = {
  /** Adds names, each below `module.`, until the returned function is called. Throws for other names. */
  declare(names: readonly string[]): () => void
  /**
   * Reads the permissions that nodes report for their modules, if one of the rules needs them. Call it before the other methods wherever
   * the modules may run in another process. Throws AppError `unavailable`.
   */
  refresh(rules: readonly string[]): Promise<void>
  /** The known permissions that a rule (with or without its `-`) matches; empty for an unknown rule. */
  match(rule: string): readonly string[]
  isKnown(rule: string): boolean
  /** A message that the rule is unknown, with a similar name if there is one; undefined for a known rule. */
  describeUnknown(rule: string): string | undefined
}

const beginning = 'Unknown permission '

/** Whether a message is one of `PermissionNames.describeUnknown`. */
export const saysUnknownPermission = (message: string): boolean => message.startsWith(beginning)

const partsOf = (rule: string) => {
  const sign = rule.startsWith('-') ? '-' : ''
  return { sign, pattern: rule.slice(sign.length) }
}

/** All wildcards that match one of the names, such as `admin.*` and `admin.users.*`. */
const listWildcards = (names: Iterable<string>): ReadonlySet<string> => {
  const wildcards = new Set<string>()
  for (const name of names)
    for (let dot = name.indexOf('.'); dot > 0; dot = name.indexOf('.', dot + 1)) wildcards.add(`${name.slice(0, dot)}.*`)
  return wildcards
}

const ownNames: ReadonlySet<string> = new Set(knownPermissions)
const nameAsPermission = (command: string): string => `command.${command.replaceAll(':', '.')}`
/** Commands for everyone, by the permission that their name suggests. */
const needless: ReadonlyMap<string, string> = new Map(
  knownCommands.filter(({ permission }) => permission === 'none').map(({ name }) => [nameAsPermission(name), name]),
)

/** Whether a rule names a command that everyone can use. It has no effect, but in a group it is not a mistake. */
export const isNeedless = (rule: string): boolean => needless.has(partsOf(rule).pattern)

/** The real permission of a command by the one that its name suggests: `command.undo` is `world.undo`. */
const otherNames: ReadonlyMap<string, string> = new Map(
  knownCommands
    .map(({ name, permission }) => [nameAsPermission(name), permission] as const)
    .filter(([suggested, permission]) => permission !== 'none' && permission !== suggested),
)
const ownWildcards = listWildcards(knownPermissions)

/**
 * The names of the server, to which modules may add theirs. Checking a known name takes constant time. `listReported` reads the names that
 * nodes report; undefined if there is no report.
 */
export const createPermissionNames = (
  listReported: () => Promise<readonly string[] | undefined> = async () => [],
): PermissionNames => {
  const declarations = new Set<readonly string[]>()
  let reported: readonly string[] | undefined = []
  const listDeclared = (): readonly string[] => [...new Set([...[...declarations].flat(), ...(reported ?? [])])]

  const isKnown = (rule: string): boolean => {
    const { pattern } = partsOf(rule)
    if (pattern === '*' || ownNames.has(pattern) || ownWildcards.has(pattern)) return true
    if (!pattern.startsWith(modulePrefix)) return false
    const declared = listDeclared()
    return declared.includes(pattern) || listWildcards(declared).has(pattern)
  }

  const findNearest = (pattern: string): string | undefined => {
    const other = otherNames.get(pattern)
    if (other !== undefined) return other
    const declared = listDeclared()
    const names = [...ownNames, ...declared, ...ownWildcards, ...listWildcards(declared)]
    return findNearName(pattern, names) ?? names.find((name) => name.endsWith(`.${pattern}`))
  }

  return {
    isKnown,
    declare: (names) => {
      const other = names.find((name) => !name.startsWith(modulePrefix))
      if (other !== undefined) throw new Error(`A module may only declare permissions below ${modulePrefix}, not ${other}`)
      const declaration = [...names]
      declarations.add(declaration)
      return () => void declarations.delete(declaration)
    },
    refresh: async (rules) => {
      if (rules.some(isOfModule)) reported = await listReported()
    },
    match: (rule) => {
      const { pattern } = partsOf(rule)
      const names = [...ownNames, ...listDeclared()]
      if (pattern === '*') return names
      return pattern.endsWith('.*')
        ? names.filter((name) => name.startsWith(pattern.slice(0, -1)))
        : names.filter((name) => name === pattern)
    },
    describeUnknown: (rule) => {
      if (isKnown(rule)) return undefined
      const { sign, pattern } = partsOf(rule)
      const command = needless.get(pattern)
      if (command !== undefined)
        return `${beginning}\`${rule}\`. All players can use /${command}, so it needs no permission. Leave this one out.`
      const nearest = findNearest(pattern)
      if (nearest !== undefined) return `${beginning}\`${rule}\`. Did you mean \`${sign}${nearest}\`?`
      if (!isOfModule(rule)) return `${beginning}\`${rule}\`. docs/permissions.md lists every permission.`
      return reported === undefined
        ? `${beginning}\`${rule}\`. No running node reports its modules at the moment. Start a node with the module, then try again.`
        : `${beginning}\`${rule}\`. No loaded module declares it.`
    },
  }
}
