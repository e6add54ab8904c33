import type { ConfigName, ConfigValues, OtherConfigs } from './config-values.ts'

export type SomeConfigs = { readonly [N in ConfigName]?: ConfigValues[N] }

/** No other file is available, so rules on other files do not apply. */
export const noOthers: OtherConfigs = { find: () => undefined }

/** `values` in the form that rules between files use. */
export const asOthers = (values: SomeConfigs): OtherConfigs => ({
  find: <N extends ConfigName>(name: N): ConfigValues[N] | undefined => values[name],
})

/** `values` with the value of one file replaced. */
export const withConfig = <N extends ConfigName>(values: SomeConfigs, name: N, value: ConfigValues[N]): SomeConfigs => {
  const copy: { -readonly [M in ConfigName]?: ConfigValues[M] } = { ...values }
  copy[name] = value
  return copy
}
