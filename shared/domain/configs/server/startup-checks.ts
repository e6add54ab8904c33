import { AppError } from '../../../kernel/errors.ts'
import type { OtherConfigs } from '../declare/config-file.ts'
import { findUnsafeSettings, type StartupFacts } from './unsafe-settings.ts'

/** Throws AppError `invalid` that names every unsafe setting and its fix. */
export const refuseUnsafeSettings = (facts: StartupFacts): void => {
  const unsafe = findUnsafeSettings(facts)
  if (unsafe.length > 0) throw new AppError('invalid', 'invalid-config', ['The settings are not safe.', ...unsafe].join('\n  '))
}

/** Checks configs before they become active, so that a reload accepts nothing that a start refuses. */
export const createFindUnsafe =
  (environment: StartupFacts['environment']) =>
  (configs: OtherConfigs): readonly string[] => {
    const server = configs.find('server.yaml')
    return server === undefined ? [] : findUnsafeSettings({ environment, server })
  }
