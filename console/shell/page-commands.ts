import { linkTo } from '../state/route.ts'
import { wordsOfPalette } from '../words/of-palette.ts'

type Name = keyof typeof wordsOfPalette.palette.commands

/** A command of the game that a page of the console can do without entering the game. */
export type PageCommand = {
  readonly name: Name
  readonly description: string
  /** The permission of the page or dialog. */
  readonly permission: string
  /** The page or dialog, filled with the text after the name of the command. */
  readonly addressOf: (argument: string) => string
}

const impose = (kind: string) => (whom: string) => linkTo(['moderation'], { impose: kind, whom })
const findAccount = (q: string) => linkTo(['people'], { q })
const findPlayer = (q: string) => linkTo(['players'], { q })
const history = () => linkTo(['map'], { tab: 'history' })

type Row = readonly [name: Name, permission: string, addressOf: PageCommand['addressOf']]

const rows: readonly Row[] = [
  ['who', 'admin.players.read', findPlayer],
  ['msg', 'admin.players.message', findPlayer],
  ['kick', 'admin.players.kick', findPlayer],
  ['warn', 'admin.sanctions.write', impose('warning')],
  ['mute', 'admin.sanctions.write', impose('mute')],
  ['ban', 'admin.sanctions.write', impose('ban')],
  ['sanctions', 'admin.sanctions.read', () => linkTo(['moderation', 'sanctions'])],
  ['adduser', 'admin.users.write', (email) => linkTo(['people'], { open: 'add', email })],
  ['invite', 'admin.users.write', () => linkTo(['people'], { open: 'invite' })],
  ['why', 'admin.users.read', findAccount],
  ['grant', 'admin.users.write', findAccount],
  ['rbac:addgroup', 'admin.users.write', findAccount],
  ['rbac:listgroups', 'admin.users.read', () => linkTo(['groups'])],
  ['zones', 'admin.worlds.read', () => linkTo(['map'])],
  ['world', 'admin.worlds.read', () => linkTo(['worlds'])],
  ['inspect', 'admin.history.read', history],
  ['rollback', 'admin.history.write', history],
  ['reload', 'admin.configs.read', () => linkTo(['configs'])],
  ['modules', 'admin.modules.read', () => linkTo(['modules'])],
  ['module', 'admin.modules.write', () => linkTo(['modules'])],
]

export const pageCommands: readonly PageCommand[] = rows.map(([name, permission, addressOf]) => ({
  name,
  description: wordsOfPalette.palette.commands[name],
  permission,
  addressOf,
}))
