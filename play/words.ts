import type { Action } from './state/settings.ts'

const actionNames: Readonly<Record<Action, string>> = {
  forward: 'Walk forward',
  back: 'Walk back',
  left: 'Step left',
  right: 'Step right',
  jump: 'Jump, swim up',
  down: 'Fly down',
  run: 'Run',
  fly: 'Fly',
  chat: 'Chat',
  command: 'Command',
  blocks: 'Blocks',
  players: 'Who is here',
  panel: 'Figures',
}

const refusals: Readonly<Record<string, string>> = {
  'missing-permission': 'You may not build here',
  'out-of-reach': 'That is out of reach.',
  occupied: 'Somebody stands there.',
  'not-loaded': 'The land is not there yet; again in a moment.',
  'zones-unknown': 'The server is still reading its zones; again in a moment.',
  busy: 'The server has its hands full; again in a moment.',
  'storage-full': 'The server has no room to store it.',
  unavailable: 'The server cannot store it at the moment.',
  'lease-lost': 'Another server runs this world now.',
  'unknown-block': 'The server knows no such block.',
  invalid: 'The server does not take that.',
  lost: 'The connection went before the answer; look whether it was done.',
}

/** Every word that the game says, in one place, for translation. */
export const words = {
  title: 'Gatehouse',
  signIn: {
    lead: 'Walk in.',
    email: 'Email',
    password: 'Password',
    go: 'Play',
    provider: 'Sign in to play',
    waiting: 'One moment…',
    back: 'Coming back…',
    again: 'Try again',
    unreachable: 'The server does not answer.',
    emailAlone: 'This server asks for no password.',
  },
  loading: 'Walking up to the gate…',
  lost: {
    title: 'The connection was lost',
    again: 'Coming back to where you were…',
    retry: (seconds: number) => `Trying again in ${seconds} s.`,
  },
  ended: { title: 'The game is over for now', reload: 'Play again', signOut: 'Sign in as somebody else' },
  pause: {
    title: 'Paused',
    start: 'Ready',
    resume: 'Play',
    settings: 'Settings',
    signOut: 'Sign out',
    as: (name: string) => `You are ${name}.`,
    hints: [
      ['W A S D', 'walk'],
      ['Space', 'jump'],
      ['Ctrl', 'run'],
      ['Left click', 'break'],
      ['Right click', 'place'],
      ['Middle click', 'pick a block'],
      ['1 to 9, wheel', 'choose a block'],
      ['E', 'all blocks'],
      ['T, /', 'chat, commands'],
      ['Tab', 'who is here'],
    ],
    touchHints: [
      ['Left thumb', 'walk'],
      ['Right thumb', 'look'],
      ['Tap', 'place'],
      ['Hold', 'break'],
    ],
  },
  settings: {
    title: 'Settings',
    done: 'Done',
    viewRadius: 'How far one sees',
    columns: (count: number) => `${count} columns`,
    sensitivity: 'Speed of the mouse',
    fieldOfView: 'Field of view',
    degrees: (value: number) => `${value}°`,
    volume: 'Sounds',
    percent: (part: number) => `${Math.round(part * 100)} %`,
    invert: 'Turn the mouse upside down',
    stepUp: 'Walk up a block without jumping',
    adapt: 'Coarser picture where this machine is slow',
    keys: 'Keys',
    press: 'press a key',
    reset: 'As it was at first',
  },
  blocks: {
    title: 'Blocks',
    search: 'Find a block',
    none: 'No block is called that.',
    slot: (number: number) => `Slot ${number}`,
  },
  chat: { say: 'Say something, or / for a command', go: 'Say', label: 'Chat', commands: 'Commands' },
  players: { title: 'Here', you: 'you', alone: 'Nobody else is in sight.' },
  zone: {
    entered: (name: string) => `You enter ${name}`,
    left: (name: string) => (name === '' ? 'You leave the zone' : `You leave ${name}`),
  },
  touch: { jump: 'Jump', down: 'Down', chat: 'Chat', blocks: 'Blocks', menu: 'Menu' },
  hotbar: 'Blocks at hand',
  close: 'Close',
  mayNotFly: 'You may not fly here: that needs the permission world.fly.',
  actions: actionNames,
  errors: {
    noWebgl:
      'This browser cannot draw the game: it has no WebGL 2, or it is switched off. Another browser, or hardware acceleration in this one’s settings, may help.',
    contextLost: 'The graphics card took a break; the picture comes back by itself.',
    contextBack: 'The picture is back.',
    broken: 'The game ran into a fault of its own, and stopped.',
    unknown: 'Something went wrong.',
  },
  refused: ({ reason, detail }: { readonly reason: string; readonly detail: string }): string => {
    const text = refusals[reason] ?? reason
    return reason === 'missing-permission' ? `${text}: that needs ${detail}.` : text
  },
  describe: (error: unknown): string => (error instanceof Error && error.message !== '' ? error.message : words.errors.unknown),
  /** What a kind of block is called, by its id: the server tells no other name. */
  blockName: (id: string): string => {
    const name = id.replaceAll('_', ' ')
    return name.charAt(0).toUpperCase() + name.slice(1)
  },
}
