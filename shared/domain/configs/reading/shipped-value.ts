import { createHash } from 'node:crypto'
import type { ConfigName, ConfigValues } from '../declare/config-file.ts'
import { type ShippedConfig, shippedConfigs } from '../generated/shipped-configs.ts'

/**
 * The value of a text that is identical to the shipped one; undefined for every other text. A hundred times faster than parsing in a
 * process that has just started.
 */
export const findShippedValue = <N extends ConfigName>(name: N, text: string): ConfigValues[N] | undefined => {
  const { textSha256, value }: ShippedConfig<N> = shippedConfigs[name]
  return createHash('sha256').update(text).digest('hex') === textSha256 ? structuredClone(value) : undefined
}
