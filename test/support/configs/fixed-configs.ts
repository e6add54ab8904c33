import { catalogue, configNames } from '../../../shared/domain/configs/catalogue.ts'
import type { Configs } from '../../../shared/domain/configs/current/configs.ts'
import type { ConfigValues } from '../../../shared/domain/configs/declare/config-file.ts'

/** Configs of a test; a missing one has its default. */
export type ConfigInputs = {
  readonly server?: object
  readonly groups?: object
  readonly blocks?: object
  readonly classes?: object
  readonly attacks?: object
  readonly spells?: object
  readonly worldgen?: object
  readonly modules?: object
}

const parse = <T>(result: { readonly ok: true; readonly value: T } | { readonly ok: false; readonly faults: unknown }): T => {
  if (result.ok) return result.value
  throw new Error(`a test's config is not valid: ${JSON.stringify(result.faults)}`)
}

/** Configs without files; `set` activates others, as a reload does. */
export const createFixedConfigs = (inputs: ConfigInputs = {}): Configs & { set(next: ConfigInputs): void } => {
  const listeners = new Set<Parameters<Configs['onReload']>[0]>()
  const read = ({
    server = {},
    groups = {},
    blocks = {},
    classes = {},
    attacks = {},
    spells = {},
    worldgen = {},
    modules = {},
  }: ConfigInputs): ConfigValues => ({
    'server.yaml': parse(catalogue['server.yaml'].parse(server)),
    'groups.yaml': parse(catalogue['groups.yaml'].parse(groups)),
    'blocks.yaml': parse(catalogue['blocks.yaml'].parse(blocks)),
    'classes.yaml': parse(catalogue['classes.yaml'].parse(classes)),
    'skills/attacks.yaml': parse(catalogue['skills/attacks.yaml'].parse(attacks)),
    'skills/spells.yaml': parse(catalogue['skills/spells.yaml'].parse(spells)),
    'worldgen.yaml': parse(catalogue['worldgen.yaml'].parse(worldgen)),
    'modules.yaml': parse(catalogue['modules.yaml'].parse(modules)),
  })
  let values = read(inputs)
  return {
    get: (name) => values[name],
    set: (next) => {
      values = read(next)
      for (const listener of listeners) listener(configNames)
    },
    reload: async () => ({ reloaded: [], changed: [], restartNeeded: [], failed: [] }),
    catchUp: async () => undefined,
    onReload: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    warnings: () => [],
    close: async () => undefined,
  }
}
