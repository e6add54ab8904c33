import type { ConfigName, ConfigValues, OtherConfigs } from '../../../shared/domain/configs/declare/config-file.ts'

/** The other config files; only these can be read. */
export const othersOf = (values: Partial<ConfigValues> = {}): OtherConfigs => ({
  find: <N extends ConfigName>(name: N): ConfigValues[N] | undefined => values[name],
})
