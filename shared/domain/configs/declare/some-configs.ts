import type { ConfigName, ConfigValues, OtherConfigs } from './config-values.ts'

/** Config values by name, of some files. */
export type SomeConfigs = { readonly [N in ConfigName]?: ConfigValues[N] }

/** None is known: rules on other files do not apply. */
export const noOthers: OtherConfigs = { find: () => undefined }

/** `values` as rules between files look at them. */
export const asOthers = (values: SomeConfigs): OtherConfigs => ({
  find: <N extends ConfigName>(name: N): ConfigValues[N] | undefined => values[name],
})

/** `values` with another value of one file. */
export const withConfig = <N extends ConfigName>(values: SomeConfigs, name: N, value: ConfigValues[N]): SomeConfigs => {
  const copy: { -readonly [M in ConfigName]?: ConfigValues[M] } = { ...values }
  copy[name] = value
  return copy
}
