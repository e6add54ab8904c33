import { words } from '../words.ts'

/** Values for arguments, as far as the user can read them. */
export type Known = {
  readonly players: readonly string[]
  readonly emails: readonly string[]
  readonly commands: readonly string[]
  readonly groups: readonly string[]
  readonly configs: readonly string[]
  readonly zones: readonly string[]
}

type Kind = {
  readonly offer?: (known: Known, typed: string) => readonly string[]
  /** The fault of a value; undefined if it can be valid. */
  readonly fault?: (value: string) => string | undefined
}

const durations = ['10m', '1h', '1d', '7d', '4w'] as const

const unless =
  (pattern: RegExp, fault: string) =>
  (value: string): string | undefined =>
    pattern.test(value) ? undefined : fault

const person: Kind = { offer: ({ players }) => players }
const email: Kind = { offer: ({ emails }) => emails, fault: unless(/^\S+@\S+$/, words.live.faults.email) }
const command: Kind = { offer: ({ commands }) => commands }
const number: Kind = { fault: unless(/^[+-]?(\d+(\.\d*)?|\.\d+)$/, words.live.faults.number) }
const coordinate: Kind = {
  offer: () => ['~'],
  fault: unless(/^(~|~?[+-]?(\d+\.?\d*|\.\d+))$/, words.live.faults.coordinate),
}
const groupList: Kind = {
  offer: ({ groups }, typed) => {
    const head = typed.slice(0, typed.lastIndexOf(',') + 1)
    const taken = head.split(',')
    return groups.filter((name) => !taken.includes(name)).map((name) => `${head}${name}`)
  },
  fault: (value) => (value.split(',').some((name) => name.trim() === '') ? words.live.faults.list : undefined),
}

/** Kinds by argument name. The server decides in the end. */
const kinds: Readonly<Record<string, Kind>> = {
  player: person,
  'player-or-address': person,
  email,
  command,
  'permission-or-command': { offer: ({ commands }) => commands.map((name) => `/${name}`) },
  'group-or-permission': { offer: ({ groups }) => groups },
  groups: groupList,
  config: { offer: ({ configs }) => configs },
  id: { offer: ({ zones }) => zones },
  duration: {
    offer: () => durations,
    fault: unless(/^\d{1,10}[smhdw]$/i, words.live.faults.duration),
  },
  x: coordinate,
  y: coordinate,
  z: coordinate,
  n: number,
  radius: number,
}

export const kindOf = (name: string): Kind => kinds[name] ?? {}
