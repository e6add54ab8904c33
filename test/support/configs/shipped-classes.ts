import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { catalogue } from '../../../shared/domain/configs/catalogue.ts'
import type { ConfigFile } from '../../../shared/domain/configs/declare/config-file.ts'
import type { OtherConfigs } from '../../../shared/domain/configs/declare/config-values.ts'
import { parseConfig } from '../../../shared/domain/configs/reading/parse-config.ts'
import { othersOf } from './other-configs.ts'

const bundled = resolve(import.meta.dirname, '../../../resources/config')

const readShipped = <T>(file: ConfigFile<T>, name: string, others?: OtherConfigs): T => {
  const parsed = parseConfig(file, readFileSync(resolve(bundled, name), 'utf8'), others)
  if (!parsed.ok) throw new Error(`${name} is not valid: ${JSON.stringify(parsed.faults)}`)
  return parsed.value
}

/** Returns the bundled classes and skills, checked against each other; throws their faults. */
export const readShippedClasses = () => {
  const attacks = readShipped(catalogue['skills/attacks.yaml'], 'skills/attacks.yaml')
  const spells = readShipped(catalogue['skills/spells.yaml'], 'skills/spells.yaml')
  const others = othersOf({ 'skills/attacks.yaml': attacks, 'skills/spells.yaml': spells })
  return { ...attacks, ...spells, ...readShipped(catalogue['classes.yaml'], 'classes.yaml', others) }
}
