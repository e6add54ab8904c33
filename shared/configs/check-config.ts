import type { AccountStore } from '../accounts/account-store.ts'
import type { Actor } from '../accounts/actor.ts'
import { AppError } from '../kernel/errors.ts'
import { catalogue } from './catalogue.ts'
import type { ConfigFile } from './config-file.ts'
import type { ConfigFiles } from './config-files.ts'
import type { ConfigName, ConfigValues, OtherConfigs } from './config-values.ts'
import type { Configs } from './configs.ts'
import { findLostWriting, refuseForeignGroups } from './groups-save-rules.ts'
import { parseConfig } from './parse-config.ts'
import { describeConfigFault } from './read-config.ts'
import { asOthers, findBrokenDependents, readRelated, withConfig } from './related-configs.ts'

export type ConfigCheckDeps = {
  readonly files: Pick<ConfigFiles, 'read'>
  readonly configs: Pick<Configs, 'get'>
  readonly accountStore: Pick<AccountStore, 'findByPlayerId'>
  /** Why a process must not go by these configs, each reason with its fix. */
  readonly findUnsafe: (configs: OtherConfigs) => readonly string[]
}

/** A text that may replace what is stored under `name`, whose value is `stored`. */
export type ConfigProposal<N extends ConfigName> = {
  readonly name: N
  readonly text: string
  readonly stored: ConfigValues[N]
  readonly actor: Actor
}

/**
 * The value of a text that may be saved: valid by itself and beside the files that it refers to, breaking none that refers to it, safe
 * to start with, and no groups that lock the writer out. Throws AppError `unprocessable` `invalid-config` with every fault, line and
 * column, and `forbidden` `beyond-own-permissions` for groups that go beyond what the writer may.
 */
export const checkConfig = async <N extends ConfigName>(
  { files, configs, accountStore, findUnsafe }: ConfigCheckDeps,
  { name, text, stored, actor }: ConfigProposal<N>,
): Promise<ConfigValues[N]> => {
  const related = await readRelated(files, configs, name)
  const before = withConfig(related, name, stored)
  const writerGroups = name === 'groups.yaml' ? ((await accountStore.findByPlayerId(actor.playerId))?.groups ?? []) : []
  const groups = before['groups.yaml']
  const file: ConfigFile<ConfigValues[N]> = catalogue[name]
  const beside: ConfigFile<ConfigValues[N]> = {
    ...file,
    crossCheck: (next, others) => {
      const after = withConfig(related, name, next)
      return [
        ...file.crossCheck(next, others),
        ...findBrokenDependents(name, before, after),
        ...findUnsafe(asOthers(after)).map((message) => ({ message })),
        ...(name === 'groups.yaml' && groups && after['groups.yaml']
          ? findLostWriting(groups, after['groups.yaml'], writerGroups)
          : []),
      ]
    },
  }
  const parsed = parseConfig(beside, text, asOthers(related))
  if (!parsed.ok) {
    const [first = { message: 'is not valid' }, ...more] = parsed.faults
    const rest = more.length === 0 ? '' : ` (and ${more.length} more, see errors)`
    throw new AppError('unprocessable', 'invalid-config', `Nothing was saved. ${describeConfigFault(name, first)}${rest}`, {
      errors: parsed.faults,
    })
  }
  const nextGroups = withConfig(related, name, parsed.value)['groups.yaml']
  if (name === 'groups.yaml' && groups && nextGroups) refuseForeignGroups(actor.rules, groups, nextGroups)
  return parsed.value
}
