import { catalogue, configNames } from '../../shared/domain/configs/catalogue.ts'
import type { Configs } from '../../shared/domain/configs/current/configs.ts'
import type { ConfigName, ConfigValues } from '../../shared/domain/configs/declare/config-file.ts'

export type MemoryConfigs = Configs & { set(name: ConfigName, value: object): void }

/** Configs without files. A missing one has the defaults of its schema. Throws an error with the fault of an invalid one. */
export const createMemoryConfigs = (inputs: Readonly<Partial<Record<ConfigName, object>>>): MemoryConfigs => {
  const listeners = new Set<Parameters<Configs['onReload']>[0]>()
  const values: Partial<ConfigValues> = {}
  const read = <N extends ConfigName>(name: N, input: object): ConfigValues[N] => {
    const result = catalogue[name].parse(input)
    if (!result.ok) {
      const faults = result.faults.map(({ pointer, message }) => `${pointer}: ${message}`)
      throw new Error(`${name} of the test game is not valid. ${faults.join(', ')}`)
    }
    const { value } = result
    values[name] = value
    return value
  }
  return {
    get: <N extends ConfigName>(name: N): ConfigValues[N] => {
      const known: ConfigValues[N] | undefined = values[name]
      return known ?? read(name, inputs[name] ?? {})
    },
    set: (name, value) => {
      read(name, value)
      for (const listener of listeners) listener([name])
    },
    reload: async () => ({ reloaded: configNames, changed: [], restartNeeded: [], failed: [] }),
    catchUp: async () => undefined,
    onReload: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    warnings: () => [],
    close: async () => undefined,
  }
}
