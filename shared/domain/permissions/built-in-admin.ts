import type { GroupsConfig } from './groups-config.ts'

/** One group of `groups.yaml`. */
export type GroupDefinition = GroupsConfig['groups'][number]

/** The built-in group, which needs no file: it allows everything, and a file cannot redefine it. */
export const builtInAdmin = {
  name: 'admin',
  permissions: ['*'],
  description: 'Built in: may do everything.',
} as const satisfies { name: string; permissions: readonly string[]; description: string }
