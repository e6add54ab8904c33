import type { SettingImpact } from '../compare/config-impact-schema.ts'
import { changesMax, findDifferences } from '../compare/list-changes.ts'
import type { ServerConfig } from './server-config.ts'
import { settingRules } from './setting-rules.ts'

const anySetting = { touches: 'connected', note: 'Applies after the reload.' } as const

const findRule = (pointer: string): Omit<SettingImpact, 'pointer'> => {
  const steps = pointer.split('/')
  for (let length = steps.length; length > 1; length--) {
    const rule = settingRules.get(steps.slice(0, length).join('/'))
    if (rule !== undefined) return rule
  }
  return anySetting
}

/** Each changed setting of `server.yaml` with the affected players and the consequence; at most 500. */
export const listSettingImpacts = (stored: ServerConfig, next: ServerConfig): SettingImpact[] => {
  const pointers = Array.from(findDifferences([stored, next, undefined]), ({ pointer }) => pointer)
  return pointers.slice(0, changesMax).map((pointer) => ({ pointer, ...findRule(pointer) }))
}
