import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { catalogue, configNames } from '../../shared/domain/configs/catalogue.ts'
import type { ConfigFile, ConfigName, ConfigValues } from '../../shared/domain/configs/declare/config-file.ts'
import { parseConfig } from '../../shared/domain/configs/reading/parse-config.ts'
import { type MadeFiles, root } from './made-files.ts'

/** This folder has only the values of the bundled config texts. */
export const shippedConfigsFolder = 'shared/domain/configs/generated'

const head = `// Made from resources/config by \`npm run generate\`: the parsed bundled texts, so that no start has to parse them.
import type { ConfigName, ConfigValues } from '../declare/config-file.ts'

export type ShippedConfig<N extends ConfigName> = { readonly textSha256: string; readonly value: ConfigValues[N] }

`

const describeShipped = <N extends ConfigName>(name: N): string => {
  const file: ConfigFile<ConfigValues[N]> = catalogue[name]
  const text = readFileSync(join(root, 'resources/config', name), 'utf8').replaceAll('\r\n', '\n')
  const parsed = parseConfig(file, text)
  if (!parsed.ok) throw new Error(`The bundled ${name} is not valid: ${JSON.stringify(parsed.faults)}`)
  const textSha256 = createHash('sha256').update(text).digest('hex')
  return `  ${JSON.stringify(name)}: {\n    textSha256: ${JSON.stringify(textSha256)},\n    value: ${JSON.stringify(parsed.value)},\n  },`
}

/** The value of every bundled config text, as code. */
export const makeShippedConfigs = (): MadeFiles => {
  const entries = configNames.map(describeShipped).join('\n')
  const text = `${head}export const shippedConfigs: { readonly [N in ConfigName]: ShippedConfig<N> } = {\n${entries}\n}\n`
  return new Map([[`${shippedConfigsFolder}/shipped-configs.ts`, text]])
}
