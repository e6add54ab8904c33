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
  players: 'Players online',
  inspect: 'Block history',
  panel: 'Debug info',
}

const refusals: Readonly<Record<string, string>> = {
  'missing-permission': 'You are not allowed to build here. Ask an admin.',
  'zone-rules': 'This zone is protected. Ask its owner.',
  'out-of-reach': 'That is out of reach.',
  occupied: 'A player is in the way.',
  'not-loaded': 'The land is still loading. Try again in a moment.',
  'zones-unknown': 'The server is still loading its zones. Try again in a moment.',
  busy: 'The server is busy. Try again in a moment.',
  'storage-full': 'The server is out of storage space.',
  unavailable: 'The server cannot store changes right now. Try again in a moment.',
  'lease-lost': 'Another server runs this world now.',
  'unknown-block': 'The server does not have this block.',
  invalid: 'The server cannot make this change.',
  lost: 'The connection was lost before the answer. Check whether your change was made.',
}

/** Which players can change a zone, by the server's words for its rules. */
const builders: Readonly<Record<string, string>> = {
  builders: 'Only its builders can change it.',
  'members build': 'Only its members can change it.',
  'nobody builds': 'No one can change it.',
}

const capitalise = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

const units: Readonly<Record<string, string>> = { s: 'second', m: 'minute', h: 'hour', d: 'day', w: 'week' }

/** Marks a name that people chose within a sentence, so that `Isolated` shows it without reordering the rest. */
const isolate = (name: string): string => `\u2068${name}\u2069`

/** Every text of the game, in one place for translation. `end-words.ts` has the texts of ends and faults. */
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
    back: 'Reconnecting…',
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
    why: 'WebGL 2 is missing or turned off. Turn on hardware acceleration in the browser settings, or open this page in another browser.',
    elsewhere: 'Chat and administration work without WebGL:',
    console: 'the console',
    still: 'WebGL 2 is still not available.',
  },
  reset: {
    lead: 'Choose a new password.',
    go: 'Set password',
    done: 'Your password is set. Sign in with it.',
  },
  loading: 'Loading the game…',
  lost: {
    title: 'Connection lost',
    again: 'Reconnecting…',
    retry: (seconds: number) => `Trying again in ${seconds} s.`,
  },
  ended: { title: endedTitle, reload: 'Play again', signOut: 'Use another account' },
  pause: {
    title: 'Paused',
    start: 'Ready',
    resume: 'Play',
    settings: 'Settings',
    signOut: 'Sign out',
    undo: 'Undo my last change',
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
      [players, 'players online'],
      [panel, 'debug info'],
      ['Esc', 'this menu'],
    ],
    flyHint: ({ fly, down }: Keys) => [`${fly}, ${down}`, 'fly, descend'],
    inspectHint: ({ inspect }: Keys) => [`${inspect}, click`, 'block history'],
    touchHints: [
      ['Left thumb', 'walk'],
      ['Outside the ring', 'run'],
      ['Right thumb', 'look'],
      ['Tap', 'place'],
      ['Hold', 'break'],
    ],
  },
  settings: {
    title: 'Settings',
    done: 'Done',
    viewRadius: 'View distance',
    columns: (count: number) => `${count} chunks`,
    sensitivity: 'Mouse sensitivity',
    fieldOfView: 'Field of view',
    degrees: (value: number) => `${value}°`,
    volume: 'Sounds',
    percent: (part: number) => `${Math.round(part * 100)} %`,
    invert: 'Invert mouse',
    stepUp: 'Step up blocks without jumping',
    adapt: 'Reduce quality when slow',
    daylight: 'Time of day',
    daylights: { passes: 'changes', noon: 'always noon', evening: 'always evening', night: 'always night' },
    framesMax: 'Max FPS',
    frames: (most: number) => (most === 0 ? 'V-Sync' : `${most} FPS`),
    keys: 'Keys',
    press: 'press a key',
    reset: 'Reset to defaults',
    licences: 'Open-source licences',
  },
  blocks: {
    title: 'Blocks',
    search: 'Find a block',
    none: 'No blocks found.',
    slot: (number: number) => `Slot ${number}`,
  },
  chat: { say: 'Type a message, or / for a command', go: 'Send', label: 'Chat', commands: 'Commands' },
  players: {
    title: 'Players online',
    count: (count: number) => (count === 1 ? '1 player' : `${count} players`),
    you: 'you',
    near: 'in view',
    world: (name: string) => `in ${name}`,
    more: (count: number) => `and ${count} more`,
    noneNear: 'No other players in view.',
    alone: 'No other players online.',
  },
  zone: {
    entered: (name: string) => `Entering ${isolate(name)}`,
    left: (name: string) => (name === '' ? 'Leaving the zone' : `Leaving ${isolate(name)}`),
    closed: (name: string) => `Only members can enter ${name === '' ? 'that zone' : isolate(name)}.`,
  },
  muted: (reason: string, until: string | undefined) => ({
    title: `You are muted ${describeUntil(until)}.`,
    text: reason === '' ? 'Other players do not see your messages.' : reason,
  }),
  describeEnd,
  duration: (written: string): string => {
    const [, count = '', unit = ''] = /^(\d+)([smhdw])$/.exec(written) ?? []
    return units[unit] === undefined ? '' : `${count} ${units[unit]}${count === '1' ? '' : 's'}`
  },
  inspect: {
    on: 'Click a block to see its history',
    end: 'Back to building',
    mayNot: 'You are not allowed to see the history of blocks.',
  },
  why: {
    title: 'Why not?',
    hint: 'Press Esc and choose “Why not?” to see the reason.',
    back: 'Back',
    checks: {
      sanction: 'Not banned or muted',
      'switched-off': 'Command enabled',
      module: 'Rules of modules',
      verified: 'Signed in with a password',
      permission: 'Permission',
      zone: 'Zone',
    },
    rule: (rule: string, source: string, groups: readonly string[]) =>
      `Decided by ${rule}, from ${[source, ...groups].join(' → ')}.`,
    module: (detail: string) => `Denied by module ${detail}`,
    noRule: 'No rule grants it.',
  },
  worlds: {
    label: 'World',
    usual: 'default world',
    gone: (world: string) => `The world ${world} is not running. Choose another.`,
  },
  touch: { jump: 'Jump', down: 'Down', fly: 'Fly', chat: 'Chat', blocks: 'Blocks', menu: 'Menu', inspect: 'History' },
  hotbar: 'Hotbar',
  close: 'Close',
  mayFlyNow: 'You can fly now.',
  noMouse: 'The browser did not lock the pointer. Drag to look around; hold still to keep breaking or placing blocks.',
  mayFlyNoMore: 'You can no longer fly.',
  mayNotFly: 'You are not allowed to fly here.',
  actions: actionNames,
  errors: {
    noWebgl: 'This browser can no longer draw the game. Reload the page, or restart the browser.',
    contextLost: 'The graphics context was lost; restoring…',
    contextGone: 'The graphics could not be restored',
    contextGoneHelp: 'The graphics card or its driver stopped responding. Play again, or restart the browser.',
    contextBack: 'The graphics are back.',
    broken: 'The game hit an internal error. If it freezes, reload the page.',
    memory: 'This tab is out of memory. Close other tabs, lower the view distance in the settings, and reload the game.',
  },
  refused: ({ reason, detail }: { readonly reason: string; readonly detail: string }): string => {
    if (reason === 'module-rules') return detail || 'A rule of this server does not allow this.'
    if (reason === 'module-failed') return 'A rule of this server failed. Tell an admin.'
    // Such as `members build in zone "its name"`, or `zone.build in zone "its name"`.
    const [, who = '', zone] = /^(.*?) in zone "(.*)"$/s.exec(detail) ?? []
    if (zone === undefined) return refusals[reason] ?? 'The server rejected this change.'
    return `${isolate(zone)} is protected. ${builders[reason === 'zone-rules' ? who : 'builders'] ?? ''}`.trim()
  },
  describe: describeFault,
  /** The name of a block kind in blocks.yaml; its id if the server is older or lacks it. */
  blockName: ({ id, name }: { readonly id: string; readonly name?: string | undefined }): string =>
    name ?? capitalise(id.replaceAll('_', ' ')),
}
