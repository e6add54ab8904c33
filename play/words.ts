import { describeEnd, describeFault, describeUntil, endedTitle } from './end-words.ts'
import type { Action, Keys } from './state/settings.ts'

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
  players: 'Who is on',
  inspect: 'Who changed a block',
  panel: 'Figures',
}

const refusals: Readonly<Record<string, string>> = {
  'missing-permission': 'You are not allowed to build here. Ask an admin.',
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

/** Who can change a zone, by what the server says of its rules. */
const builders: Readonly<Record<string, string>> = {
  builders: 'Only its builders can change it.',
  'members build': 'Only its members can change it.',
  'nobody builds': 'No one can change it.',
}

const capitalise = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

const units: Readonly<Record<string, string>> = { s: 'second', m: 'minute', h: 'hour', d: 'day', w: 'week' }

/** Marks a name by people in a sentence: `Isolated` shows it without reordering the rest. */
const isolate = (name: string): string => `\u2068${name}\u2069`

/** Every word that the game says, in one place, for translation; those of ends and faults stand in `end-words.ts`. */
export const words = {
  title: 'Gatehouse',
  signIn: {
    lead: 'Sign in to play.',
    leadByEmail: 'Enter your email to play.',
    email: 'Email',
    password: 'Password',
    newPassword: 'New password, at least 8 characters',
    go: 'Play',
    provider: 'Sign in to play',
    waiting: 'One moment…',
    back: 'Coming back…',
    again: 'Try again',
    unreachable: 'The server does not answer.',
    ignoredLink:
      'This link contains a sign-in that did not begin in this tab. It was ignored. Sign in below with your own account.',
    hasPassword: 'I have a password',
    displayName: 'Display name (first visit only)',
    wrongPassword: 'Wrong password. Check the email and the password, and try again.',
    unverified: 'You can also play without it, with the permissions of a new player.',
    continueUnverified: 'Continue without a password',
  },
  register: {
    lead: 'Create an account',
    instead: 'I have an account',
    displayName: 'Display name (optional)',
    invitation: 'Invitation',
    go: 'Create account and play',
  },
  webgl: {
    lead: 'This browser cannot draw the game.',
    why: 'It has no WebGL 2, or it is switched off. Switch on hardware acceleration in its settings, or open this page in another browser.',
    elsewhere: 'The chat and all that runs this server need no WebGL:',
    console: 'the console',
    still: 'Still no WebGL 2.',
  },
  reset: {
    lead: 'Choose a new password.',
    go: 'Set it',
    done: 'The password is set. Sign in with it.',
  },
  loading: 'Walking up to the gate…',
  lost: {
    title: 'The connection was lost',
    again: 'Coming back to where you were…',
    retry: (seconds: number) => `Trying again in ${seconds} s.`,
  },
  ended: { title: endedTitle, reload: 'Play again', signOut: 'Sign in as somebody else' },
  pause: {
    title: 'Paused',
    start: 'Ready',
    resume: 'Play',
    settings: 'Settings',
    signOut: 'Sign out',
    undo: 'Take back my last change',
    as: (name: string) => `You are ${isolate(name)}.`,
    hints: ({ forward, left, back, right, jump, run, blocks, chat, command, players, panel }: Keys) => [
      [`${forward} ${left} ${back} ${right}`, 'walk'],
      [jump, 'jump'],
      [`${run}, ${forward} ${forward}`, 'run'],
      ['Left click', 'break'],
      ['Right click', 'place'],
      ['Middle click', 'pick a block'],
      ['1 to 9, wheel', 'choose a block'],
      [blocks, 'all blocks'],
      [`${chat}, ${command}`, 'chat, commands'],
      [players, 'who is on'],
      [panel, 'figures'],
      ['Esc', 'this card'],
    ],
    flyHint: ({ fly, down }: Keys) => [`${fly}, ${down}`, 'fly, come down'],
    inspectHint: ({ inspect }: Keys) => [`${inspect}, click`, 'who changed it'],
    touchHints: [
      ['Left thumb', 'walk'],
      ['Beyond its ring', 'run'],
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
    daylight: 'Time of day',
    daylights: { passes: 'goes by', noon: 'always noon', evening: 'always evening', night: 'always night' },
    framesMax: 'Pictures a second',
    frames: (most: number) => (most === 0 ? 'as the screen' : `${most} at most`),
    keys: 'Keys',
    press: 'press a key',
    reset: 'As it was at first',
    licences: 'Licences of what is used here',
  },
  blocks: {
    title: 'Blocks',
    search: 'Find a block',
    none: 'No block is called that.',
    slot: (number: number) => `Slot ${number}`,
  },
  chat: { say: 'Say something, or / for a command', go: 'Say', label: 'Chat', commands: 'Commands' },
  players: {
    title: 'Who is on',
    count: (count: number) => (count === 1 ? 'one of you' : `${count} of you`),
    you: 'you',
    near: 'in sight',
    world: (name: string) => `in ${name}`,
    more: (count: number) => `and ${count} more`,
    noneNear: 'Nobody else is in sight.',
    alone: 'Nobody else is on.',
  },
  zone: {
    entered: (name: string) => `You enter ${isolate(name)}`,
    left: (name: string) => (name === '' ? 'You leave the zone' : `You leave ${isolate(name)}`),
    closed: (name: string) => `${name === '' ? 'That zone' : isolate(name)} lets in its members alone.`,
  },
  muted: (reason: string, until: string | undefined) => ({
    title: `You are muted ${describeUntil(until)}.`,
    text: reason === '' ? 'Nobody reads what you write.' : reason,
  }),
  describeEnd,
  duration: (written: string): string => {
    const [, count = '', unit = ''] = /^(\d+)([smhdw])$/.exec(written) ?? []
    return units[unit] === undefined ? '' : `${count} ${units[unit]}${count === '1' ? '' : 's'}`
  },
  inspect: {
    on: 'Click a block: who changed it?',
    end: 'Build again',
    mayNot: 'You are not allowed to look into the history of blocks.',
  },
  why: {
    title: 'Why not?',
    hint: 'Esc, “Why not?” has the whole answer.',
    back: 'Back',
    checks: {
      sanction: 'Sanctions',
      'switched-off': 'Switched off',
      verified: 'Signed in with a password',
      permission: 'Permission',
      zone: 'Zone',
    },
    rule: (rule: string, source: string, groups: readonly string[]) =>
      `Decided by ${rule}, from ${[source, ...groups].join(' → ')}.`,
    noRule: 'No rule gives it.',
  },
  worlds: {
    label: 'World',
    usual: 'the first that runs',
    gone: (world: string) => `Nobody runs the world ${world} now. Choose another.`,
  },
  touch: { jump: 'Jump', down: 'Down', fly: 'Fly', chat: 'Chat', blocks: 'Blocks', menu: 'Menu', inspect: 'Who?' },
  hotbar: 'Blocks at hand',
  close: 'Close',
  mayFlyNow: 'You may fly now.',
  noMouse: 'The browser does not give the mouse away: drag to look around, hold still to go on breaking or placing.',
  mayFlyNoMore: 'You may fly no more.',
  mayNotFly: 'You are not allowed to fly here.',
  actions: actionNames,
  errors: {
    noWebgl: 'This browser cannot draw the game any more. Open the page again, or restart the browser.',
    contextLost: 'The graphics card took a break; the picture comes back by itself.',
    contextGone: 'The picture does not come back',
    contextGoneHelp: 'The graphics card, or what drives it, has given up. Play again, or restart the browser.',
    contextBack: 'The picture is back.',
    broken: 'The game ran into a fault of its own. Open the page again if it stands still.',
    memory: 'This tab has no memory left. Close other tabs, set in the settings that one sees less far, and open the game again.',
  },
  refused: ({ reason, detail }: { readonly reason: string; readonly detail: string }): string => {
    // Such as `members build in zone "its name"`, or `zone.build in zone "its name"`.
    const [, who = '', zone] = /^(.*?) in zone "(.*)"$/s.exec(detail) ?? []
    if (zone === undefined) return refusals[reason] ?? reason
    return `${isolate(zone)} is protected. ${builders[reason === 'zone-rules' ? who : 'builders'] ?? ''}`.trim()
  },
  describe: describeFault,
  /** What a kind of block is called: by blocks.yaml, or by its id where the server is older or no longer has it. */
  blockName: ({ id, name }: { readonly id: string; readonly name?: string | undefined }): string =>
    name ?? capitalise(id.replaceAll('_', ' ')),
}
