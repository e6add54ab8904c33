import { catalogue } from '../catalogue.ts'
import type { ConfigChange } from '../compare/config-change.ts'
import { type ConfigStates, listChanges } from '../compare/list-changes.ts'
import type { Configs } from '../current/configs.ts'
import type { ConfigFile } from '../declare/config-file.ts'
import type { ConfigName, ConfigValues } from '../declare/config-values.ts'
import { staleConfig } from '../texts/config-etag.ts'
import type { ConfigText } from '../texts/config-files.ts'
import { type ConfigCheckDeps, checkConfig } from './check-config.ts'
import type { ConfigWriter, SaveEffect } from './config-editor.ts'
import type { StoredConfigs } from './stored-configs.ts'

export type ConfigSavePlanDeps = ConfigCheckDeps & {
  readonly stored: StoredConfigs
  readonly configs: Pick<Configs, 'get'>
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
  const next = await checkConfig(deps, { name, text, before: stored, actor: writer.actor })
  const file: ConfigFile<ConfigValues[N]> = catalogue[name]
  const states = { inForce: deps.configs.get(name), stored, next }
  const effect = waitsForRestart(file, states.inForce, next) ? 'restart' : 'reload'
  return { before, states, ...listChanges(file, states), effect }
}
