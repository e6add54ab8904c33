import type { Clock } from '../../../kernel/clock.ts'
import { AppError, type Fault } from '../../../kernel/errors.ts'
import type { Actor } from '../../accounts/actor.ts'
import type { AccountStore } from '../../accounts/store/account-store.ts'
import type { CheckModuleSettings } from '../../modules/admin/check-settings.ts'
import type { ModulesConfig } from '../../modules/modules-config.ts'
import { countsAt, isGrantInForce } from '../../permissions/account-grant.ts'
import { saysUnknownGroup } from '../../permissions/groups-config.ts'
import { type PermissionNames, saysUnknownPermission } from '../../permissions/permission-names.ts'
import { catalogue } from '../catalogue.ts'
import type { ConfigChange } from '../compare/config-impact-schema.ts'
import { type ConfigStates, listChanges } from '../compare/list-changes.ts'
import type { Configs } from '../current/configs.ts'
import {
  asOthers,
  type ConfigFile,
  type ConfigName,
  type ConfigValues,
  type OtherConfigs,
  type SomeConfigs,
  withConfig,
} from '../declare/config-file.ts'
import { findLostWriting, refuseForeignGroups } from '../groups/groups-save-rules.ts'
import { findUnknownPermissions } from '../groups/unknown-permissions.ts'
import { type ConfigParser, describeConfigFault } from '../reading/config-parser.ts'
import { refuseForeignSettings } from '../server/server-save-rules.ts'
import { type ConfigText, staleConfig } from '../texts/config-files.ts'
import { listDependents, type StoredConfigs } from './stored-configs.ts'

/** The configs before and after a save of `name`. */
type ConfigTransition = { readonly name: ConfigName; readonly before: SomeConfigs; readonly after: SomeConfigs }

/** Faults of a file together with the others; the search may stop after `most`. */
const crossCheck = <N extends ConfigName>(name: N, values: SomeConfigs, most?: number): readonly Fault[] => {
  const file: ConfigFile<ConfigValues[N]> = catalogue[name]
  const value: ConfigValues[N] | undefined = values[name]
  return value === undefined ? [] : file.crossCheck(value, asOthers(values), most)
}

/** More than an answer lists: a file of classes whose skills are all missing has fifty thousand. */
const brokenMost = 1000

/** New faults in files that refer to `name`, with file and pointer. */
const findBrokenDependents = ({ name, before, after }: ConfigTransition): readonly Fault[] =>
  listDependents(name).flatMap((dependent) => {
    const some = crossCheck(dependent, after, brokenMost)
    // Usually there are none, which saves the second check of a large file.
    if (some.length === 0) return []
    const broken = crossCheck(dependent, before)
    const faults = broken.length === 0 ? some : crossCheck(dependent, after)
    const keyOf = ({ pointer, message }: Fault) => `${pointer}\n${message}`
    const known = new Set(broken.map(keyOf))
    return faults
      .filter((fault) => !known.has(keyOf(fault)))
      .map(({ pointer = '', message }) => ({ message: `${dependent} relies on this, at ${pointer}: ${message}` }))
  })

export type ConfigCheckDeps = {
  readonly parser: Pick<ConfigParser, 'parse' | 'locate'>
  readonly stored: Pick<StoredConfigs, 'readRelated'>
  readonly accountStore: Pick<AccountStore, 'findByPlayerId'>
  readonly clock: Pick<Clock, 'now'>
  readonly permissionNames: PermissionNames
  /** Asks the running modules about their settings. */
  readonly checkModuleSettings: CheckModuleSettings
  /** Reasons why these configs are unsafe, each with its fix. */
  readonly findUnsafe: (configs: OtherConfigs) => readonly string[]
}

/** A text to replace the stored text of `name`, whose value is `before`. */
type ConfigProposal<N extends ConfigName> = {
  readonly name: N
  readonly text: string
  readonly before: ConfigValues[N]
  readonly actor: Actor
}

/** Both sides of `file` if that is the saved file. */
const sidesOf = <N extends ConfigName>({ name, before, after }: ConfigTransition, file: N) => {
  const current: ConfigValues[N] | undefined = before[file]
  const next: ConfigValues[N] | undefined = after[file]
  return name === file && current && next ? { current, next } : undefined
}

/** The slug for these faults: a text with only unknown names gets the same slug as a grant of such a name. */
const slugOf = (faults: readonly Fault[]) => {
  const isEach = (says: (message: string) => boolean) => faults.length > 0 && faults.every(({ message }) => says(message))
  if (isEach(saysUnknownPermission)) return 'unknown-permission'
  if (isEach(saysUnknownGroup)) return 'unknown-group'
  const isUnknown = (message: string) => saysUnknownPermission(message) || saysUnknownGroup(message)
  return isEach(isUnknown) ? 'unknown-permission' : 'invalid-config'
}

const refuse = (name: ConfigName, faults: readonly Fault[]): AppError => {
  const [first = { message: 'is not valid' }, ...more] = faults
  const rest = more.length === 0 ? '' : ` (and ${more.length} more, see errors)`
  const detail = `Nothing was saved. ${describeConfigFault(name, first)}${rest}`
  return new AppError('unprocessable', slugOf(faults), detail, { errors: faults })
}

/** Warnings about settings of modules that no node could check. Throws AppError `unprocessable` for settings that do not fit. */
const checkModules = async (
  { parser, checkModuleSettings }: ConfigCheckDeps,
  text: string,
  { current, next }: { readonly current: ModulesConfig; readonly next: ModulesConfig },
): Promise<readonly string[]> => {
  const { modules, warnings } = await checkModuleSettings(current, next)
  const faults = modules.flatMap((module) => module.faults)
  if (faults.length > 0) throw refuse('modules.yaml', await parser.locate(text, faults))
  return warnings
}

/**
 * The value of a text that may be saved. The text is valid, alone and together with the other files. It is safe, and the writer keeps
 * the right to save. Throws AppError:
 * - `unprocessable` `invalid-config` with every fault, line and column; if all faults are unknown names, the slug is `unknown-permission`
 *   or `unknown-group`.
 * - `forbidden` `beyond-own-permissions` for changes of groups beyond the writer's permissions.
 * - `forbidden` for a key of server.yaml whose permission the writer lacks.
 * Resolves to the value, and to warnings about it.
 */
const checkConfig = async <N extends ConfigName>(
  deps: ConfigCheckDeps,
  { name, text, before, actor }: ConfigProposal<N>,
): Promise<{ readonly next: ConfigValues[N]; readonly warnings: readonly string[] }> => {
  const { parser, stored, accountStore, findUnsafe, clock, permissionNames } = deps
  const related = await stored.readRelated(name)
  const writer = name === 'groups.yaml' ? await accountStore.findByPlayerId(actor.playerId) : undefined
  // Grants that apply only in a world or zone do not count, because a save has no place.
  const grants = (writer?.grants ?? []).filter((grant) => isGrantInForce(grant, clock.now()) && countsAt(grant, undefined))
  const holder = { groups: writer?.groups ?? [], grants }
  const transitionTo = (next: ConfigValues[N]): ConfigTransition => ({
    name,
    before: withConfig(related, name, before),
    after: withConfig(related, name, next),
  })
  const findFaultsAround = (next: ConfigValues[N]): readonly Fault[] => {
    const transition = transitionTo(next)
    const groups = sidesOf(transition, 'groups.yaml')
    return [
      ...findBrokenDependents(transition),
      ...findUnsafe(asOthers(transition.after)).map((message) => ({ message })),
      ...(groups
        ? [...findUnknownPermissions(groups.next, permissionNames, groups.current), ...findLostWriting(groups, holder)]
        : []),
    ]
  }
  const parsed = await parser.parse(name, text, { others: asOthers(related), besides: findFaultsAround })
  if (!parsed.ok) throw refuse(name, parsed.faults)
  const transition = transitionTo(parsed.value)
  const [groups, server] = [sidesOf(transition, 'groups.yaml'), sidesOf(transition, 'server.yaml')]
  const modules = sidesOf(transition, 'modules.yaml')
  if (groups) await refuseForeignGroups(actor.rules, groups)
  if (server) refuseForeignSettings(actor.rules, server)
  return { next: parsed.value, warnings: modules ? await checkModules(deps, text, modules) : [] }
}

export type ConfigSavePlanDeps = ConfigCheckDeps & {
  readonly stored: StoredConfigs
  readonly configs: Pick<Configs, 'get'>
}

/** What the whole text needs to apply. */
export type SaveEffect = 'reload' | 'restart'

export type ConfigWriter = {
  readonly actor: Actor
  /** Throws AppError `stale` if the stored text has another tag; without it the last writer wins. */
  readonly ifEtag?: string
}

/** A text that may be saved, and the text it would replace. */
export type ConfigSavePlan<N extends ConfigName> = {
  /** Undefined if the stored bytes are not text. */
  readonly before: ConfigText | undefined
  readonly states: ConfigStates<ConfigValues[N]>
  readonly changes: readonly ConfigChange[]
  /** The number of changes that are not listed. */
  readonly omitted: number
  readonly effect: SaveEffect
  readonly warnings: readonly string[]
}

/** Whether any part of `next` needs a restart. */
const waitsForRestart = <T>(file: ConfigFile<T>, inForce: T, next: T): boolean =>
  listChanges(file, { inForce, stored: file.afterReload(inForce, next), next }).changes.length > 0

/** The effects of saving `text`. Throws the reason why it cannot be saved, a stale tag first. Writes nothing. */
export const planConfigSave = async <N extends ConfigName>(
  deps: ConfigSavePlanDeps,
  { name, text, writer }: { readonly name: N; readonly text: string; readonly writer: ConfigWriter },
): Promise<ConfigSavePlan<N>> => {
  const before = await deps.stored.findText(name)
  if (writer.ifEtag !== undefined && writer.ifEtag !== before?.etag) throw staleConfig(name)
  const stored = await deps.stored.read(name)
  const { next, warnings } = await checkConfig(deps, { name, text, before: stored, actor: writer.actor })
  const file: ConfigFile<ConfigValues[N]> = catalogue[name]
  const states = { inForce: deps.configs.get(name), stored, next }
  const effect = waitsForRestart(file, states.inForce, next) ? 'restart' : 'reload'
  return { before, states, ...listChanges(file, states), effect, warnings }
}
