import { linkTo } from '../state/route.ts'
import { words } from '../words/of-frame.ts'

type Entry = { readonly action: string; readonly target: string }

const isEmail = (text: string): boolean => text.includes('@')
const toPerson = (target: string) => (isEmail(target) ? ['people', target] : undefined)

/** Pages by the first part of an action. */
const rooms: Readonly<Record<string, (target: string) => readonly string[] | undefined>> = {
  account: toPerson,
  grant: toPerson,
  token: toPerson,
  player: toPerson,
  sanction: (target) => toPerson(target) ?? ['moderation', 'sanctions'],
  report: () => ['moderation'],
  announcement: () => ['players'],
  config: (target) => (/\.yaml$/.test(target) ? ['configs', target] : ['configs']),
  world: () => ['worlds'],
  zone: (target) => ['map', target],
  job: () => ['jobs'],
  backup: () => ['backups'],
  module: (target) => ['modules', target],
  'module-record': (target) => ['modules', target.split('/')[0] ?? ''],
  'module-player': (target) => ['modules', target.split('/')[0] ?? ''],
}

/** The address of the target of an entry; undefined if no page shows it. */
export const findThing = ({ action, target }: Entry): string | undefined => {
  const parts = rooms[action.split('.')[0] ?? '']?.(target)
  return parts !== undefined && Object.hasOwn(words.pages, parts[0] ?? '') ? linkTo(parts) : undefined
}
