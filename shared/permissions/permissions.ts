import type { GroupsConfig } from '../configs/groups/groups-config.ts'
import type { RuleSet } from './rules.ts'

export type GroupView = {
  readonly name: string
  readonly permissions: readonly string[]
  readonly inherits: readonly string[]
  readonly description?: string
  /** The rules after inheritance as written (`-` kept), sorted. */
  readonly effective: readonly string[]
}

/** The groups in force in this process; replaced as a whole when `groups.yaml` is read again. */
export type Permissions = {
  /** Cached by the list of groups; constant time after the first call. */
  rulesFor(groups: readonly string[]): RuleSet
  groupNames(): readonly string[]
  /** In the file's order, `admin` first. */
  listGroups(): readonly GroupView[]
  defaultGroups(): readonly string[]
  /** Groups that accounts met so far name but that do not exist, sorted; default groups aside, which need no file. */
  unknownGroups(): readonly string[]
  /** Takes new groups into force, then calls the listeners. */
  replace(config: GroupsConfig): void
  onChange(listener: () => void): () => void
}
