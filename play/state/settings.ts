/** The action of a key. */
export const actions = [
  'forward',
  'back',
  'left',
  'right',
  'jump',
  'down',
  'run',
  'fly',
  'chat',
  'command',
  'blocks',
  'players',
  'inspect',
  'panel',
] as const
export type Action = (typeof actions)[number]

/** The time of day: passing or fixed. */
export const daylights = ['passes', 'noon', 'evening', 'night'] as const

/** A lower rate would slow the player down: a frame makes up for at most an eighth of a second. */
const framesLeast = 8

/** The choices for the frame rate. */
export const frameLimits = [0, 60, 30, 15] as const

export type Keys = Readonly<Record<Action, string>>

/** The player's settings, stored in this browser. */
export type Settings = {
  readonly viewRadius: number
  /** Degrees for 100 pixels of mouse movement, divided by ten. */
  readonly sensitivity: number
  readonly fieldOfView: number
  readonly invert: boolean
  /** 0 to 1. */
  readonly volume: number
  /** Whether the player steps up blocks without jumping. */
  readonly stepUp: boolean
  /** Whether the quality drops on a slow machine. */
  readonly adapt: boolean
  /** The maximum frame rate; 0 for the rate of the screen. */
  readonly framesMax: number
  readonly daylight: (typeof daylights)[number]
  readonly keys: Keys
  /** Ids of blocks. */
  readonly hotbar: readonly string[]
}

const starterBar = ['grass', 'dirt', 'stone', 'cobblestone', 'planks', 'oak_log', 'bricks', 'glass', 'glowstone']

export const defaultSettings: Settings = {
  viewRadius: 8,
  sensitivity: 1,
  fieldOfView: 75,
  invert: false,
  volume: 0.5,
  stepUp: true,
  adapt: true,
  framesMax: 0,
  daylight: 'passes',
  keys: {
    forward: 'KeyW',
    back: 'KeyS',
    left: 'KeyA',
    right: 'KeyD',
    jump: 'Space',
    down: 'KeyC',
    run: 'ShiftLeft',
    fly: 'KeyF',
    chat: 'KeyT',
    command: 'Slash',
    blocks: 'KeyE',
    players: 'Tab',
    inspect: 'KeyI',
    panel: 'F3',
  },
  hotbar: starterBar,
}

const within = (value: unknown, min: number, max: number, otherwise: number): number =>
  typeof value === 'number' && value >= min && value <= max ? value : otherwise

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/** Ctrl+W closes the tab in any case. Combinations with Alt and Meta belong to the system. */
export const mayBeKey = (code: string): boolean => !/^(Control|Alt|Meta|OS)(Left|Right)$/.test(code)

const signs: Readonly<Record<string, string>> = {
  Slash: '/',
  Backslash: '\\',
  Comma: ',',
  Period: '.',
  Semicolon: ';',
  Quote: "'",
  Backquote: '`',
  Minus: '-',
  Equal: '=',
  BracketLeft: '[',
  BracketRight: ']',
  ArrowUp: '↑',
  ArrowLeft: '←',
  ArrowDown: '↓',
  ArrowRight: '→',
}

/** The label of a key. */
export const nameOfKey = (code: string): string =>
  signs[code] ?? code.replace(/^(Key|Digit)/, '').replace(/^Shift(Left|Right)$/, 'Shift')

/** Spare keys, for actions whose key is in use. */
const spareKeys = ['KeyZ', 'KeyX', 'KeyV', 'KeyB', 'KeyG', 'KeyH', 'KeyJ', 'KeyK', 'KeyL', 'KeyN', 'KeyM', 'KeyP', 'KeyQ', 'KeyR']

/** Chosen keys take precedence over defaults, and no two actions share a key. */
const parseKeys = (stored: unknown): Keys => {
  const first = defaultSettings.keys
  const wanted = isRecord(stored) ? stored : {}
  // An older version had the defaults of Shift and Ctrl swapped.
  const isOld = wanted.down === first.run && (wanted.run === undefined || !mayBeKey(String(wanted.run)))
  const chosen = (action: Action): string | undefined => {
    const key = wanted[action]
    const counts = typeof key === 'string' && mayBeKey(key) && key !== first[action] && !(isOld && action === 'down')
    return counts ? key : undefined
  }
  const keys: Record<Action, string> = { ...first }
  const taken = new Set<string>()
  const byChoice = [...actions].sort((one, other) => Number(chosen(other) !== undefined) - Number(chosen(one) !== undefined))
  for (const action of byChoice) {
    const free = [chosen(action), first[action], ...spareKeys].find((key) => key !== undefined && !taken.has(key))
    keys[action] = free ?? first[action]
    taken.add(keys[action])
  }
  return keys
}

/** Turns stored data, from an older version or edited by hand, into valid settings. */
export const parseSettings = (stored: unknown): Settings => {
  const all = isRecord(stored) ? stored : {}
  const { defaultBar, ...base } = { ...defaultSettings, defaultBar: starterBar }
  const bar = Array.isArray(all.hotbar) ? all.hotbar.filter((id) => typeof id === 'string').slice(0, 9) : []
  return {
    viewRadius: Math.round(within(all.viewRadius, 2, 16, base.viewRadius)),
    sensitivity: within(all.sensitivity, 0.1, 4, base.sensitivity),
    fieldOfView: within(all.fieldOfView, 50, 110, base.fieldOfView),
    invert: all.invert === true,
    volume: within(all.volume, 0, 1, base.volume),
    stepUp: all.stepUp !== false,
    adapt: all.adapt !== false,
    framesMax: all.framesMax === 0 ? 0 : Math.round(within(all.framesMax, framesLeast, 240, base.framesMax)),
    daylight: daylights.find((one) => one === all.daylight) ?? base.daylight,
    keys: parseKeys(all.keys),
    hotbar: bar.length === 9 ? bar : defaultBar,
  }
}
