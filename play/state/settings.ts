import { effect, type Signal, signal } from '@preact/signals'

/** What a key can do. */
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

/** What the sun does: a day goes by, or it stands still. */
export const daylights = ['passes', 'noon', 'evening', 'night'] as const

/** With fewer one would walk slower than others: a picture makes good for an eighth of a second. */
const framesLeast = 8

/** Pictures a second to choose from. */
export const frameLimits = [0, 60, 30, 15] as const

export type Keys = Readonly<Record<Action, string>>

/** What a player sets, kept in this browser. */
export type Settings = {
  readonly viewRadius: number
  /** Degrees that the look turns for 100 pixels of the mouse, divided by ten. */
  readonly sensitivity: number
  readonly fieldOfView: number
  readonly invert: boolean
  /** 0 to 1. */
  readonly volume: number
  /** Whether one walks up a block without jumping. */
  readonly stepUp: boolean
  /** Whether the picture gets coarser where the machine is too slow. */
  readonly adapt: boolean
  /** Pictures a second at most; 0 for as many as the screen shows. */
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

const storeName = 'gatehouse.play.settings'

const within = (value: unknown, min: number, max: number, otherwise: number): number =>
  typeof value === 'number' && value >= min && value <= max ? value : otherwise

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/** Ctrl with W closes the tab, whatever a page does about it; what goes with Alt and Meta is the system's. */
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

/** What stands on a key. */
export const nameOfKey = (code: string): string =>
  signs[code] ?? code.replace(/^(Key|Digit)/, '').replace(/^Shift(Left|Right)$/, 'Shift')

/** For an action whose own key another one has. */
const spareKeys = ['KeyZ', 'KeyX', 'KeyV', 'KeyB', 'KeyG', 'KeyH', 'KeyJ', 'KeyK', 'KeyL', 'KeyN', 'KeyM', 'KeyP', 'KeyQ', 'KeyR']

/** Chosen keys count before first ones, and no two actions share one. */
const parseKeys = (stored: unknown): Keys => {
  const first = defaultSettings.keys
  const wanted = isRecord(stored) ? stored : {}
  // Once Shift came down and Ctrl ran.
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

/** Whatever was stored, by an older version or by hand, as settings that hold. */
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

const read = (): unknown => {
  try {
    return JSON.parse(localStorage.getItem(storeName) ?? '{}')
  } catch {
    // Storage is switched off, or holds what nobody can read.
    return {}
  }
}

/** The settings of this browser; what is changed is kept. */
export const openSettings = (): Signal<Settings> => {
  const settings = signal(parseSettings(read()))
  effect(() => {
    const text = JSON.stringify(settings.value)
    try {
      localStorage.setItem(storeName, text)
    } catch {
      // They count until the page is closed.
    }
  })
  return settings
}
