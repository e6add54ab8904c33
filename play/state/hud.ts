import { type Signal, signal } from '@preact/signals'
import { words } from '../words.ts'
import { type CommandHint, nameOf } from './command-line.ts'

export type ChatLine = {
  readonly id: number
  readonly kind: 'chat' | 'whisper' | 'announcement' | 'zone' | 'info' | 'warning' | 'error' | 'own'
  readonly from?: string
  readonly text: string
  readonly at: number
}
/** A short message in the middle of the screen, for a moment. `details` are below it. */
export type Toast = {
  readonly id: number
  readonly kind: 'refused' | 'zone' | 'info' | 'announcement' | 'warning'
  readonly text: string
  readonly details: readonly string[]
}
export type BlockKind = { readonly index: number; readonly id: string; readonly colour: number; readonly solid: boolean }

/** The debug info, updated four times a second. */
export type Figures = {
  readonly frames: number
  readonly worstMs: number
  readonly ping: number | undefined
  readonly x: number
  readonly y: number
  readonly z: number
  readonly yaw: number
  readonly hour: number
  readonly columns: number
  readonly meshed: number
  readonly waiting: number
  readonly calls: number
  readonly triangles: number
  readonly meshMs: number
  readonly players: number
  /** The server's last reported tick plus the ticks since; undefined before the first. */
  readonly tick: number | undefined
  readonly tickRate: number
  /** In the last second. */
  readonly bytesIn: number
  readonly bytesOut: number
  readonly scale: number
  readonly block: string
}

/** The screen in front of the game. */
export type Curtain =
  | { readonly kind: 'none' }
  | { readonly kind: 'loading' }
  | { readonly kind: 'lost'; readonly text: string; readonly retryAt: number | undefined }
  | { readonly kind: 'ended'; readonly title: string; readonly text: string }

/** A player in the game; `world` if it is another world. */
export type Somebody = { readonly displayName: string; readonly world?: string | undefined }

/** The first players in the game, and the total. */
export type Everybody = { readonly people: readonly Somebody[]; readonly count: number }

/** The window over the game. */
export type Screen = 'none' | 'pause' | 'chat' | 'blocks' | 'settings' | 'why'

/** A refusal as a text, and the API query that explains it. */
export type Refusal = { readonly text: string; readonly explain: string }

/** The state of the interface. The game writes it; components read it. */
export type Hud = {
  readonly screen: Signal<Screen>
  readonly curtain: Signal<Curtain>
  readonly lines: Signal<readonly ChatLine[]>
  readonly toasts: Signal<readonly Toast[]>
  readonly zone: Signal<string | undefined>
  readonly kinds: Signal<readonly BlockKind[]>
  readonly commands: Signal<readonly CommandHint[]>
  /** The player's display name. */
  readonly name: Signal<string>
  /** The message of the day; empty for none. */
  readonly motd: Signal<string>
  /** The players in view. */
  readonly others: Signal<readonly string[]>
  /** The players on all nodes; undefined if the player cannot list them. */
  readonly everybody: Signal<Everybody | undefined>
  readonly groups: Signal<readonly string[]>
  readonly zones: Signal<readonly string[]>
  readonly slot: Signal<number>
  readonly isPanelOpen: Signal<boolean>
  readonly arePlayersShown: Signal<boolean>
  readonly figures: Signal<Figures | undefined>
  readonly mayFly: Signal<boolean>
  readonly isFlying: Signal<boolean>
  /** A click shows the history of a block, and builds nothing. */
  readonly isInspecting: Signal<boolean>
  /** The last refusal that the player can have explained. */
  readonly refusal: Signal<Refusal | undefined>
  /** Whether touch is the input: at first by the device, then by the last input. */
  readonly isTouch: Signal<boolean>
  readonly draft: Signal<string>
  /** Sent lines, oldest first, with hidden passwords. */
  readonly said: Signal<readonly string[]>
  /** Counts attempts to break or place. */
  readonly swings: Signal<number>
  say(line: Omit<ChatLine, 'id' | 'at'>): void
  /** One toast of each kind at a time. Repeating it extends its time. */
  toast(kind: Toast['kind'], text: string, details?: readonly string[]): void
  /** Shows a refusal. With `explain`, the menu offers the reason. */
  refuse(text: string, explain: string | undefined): void
  /** Adds a line to the toast of the same kind, or shows it alone. */
  addToToast(kind: Toast['kind'], detail: string): void
}

/** Whether Welcome lists a command, by its name without the slash. */
export const mayRun = ({ commands }: Pick<Hud, 'commands'>, name: string): boolean =>
  commands.value.some((command) => nameOf(command) === name)

const linesMax = 200
/** Longer texts stay longer. */
const toastMs: Readonly<Record<Toast['kind'], number>> = {
  refused: 3_500,
  zone: 4_500,
  info: 3_500,
  announcement: 10_000,
  warning: 12_000,
}

/** Toasts in a signal, each removed after its time. */
const createToasts = (toasts: Signal<readonly Toast[]>, nextId: () => number): Pick<Hud, 'toast' | 'addToToast'> => {
  const timers = new Map<Toast['kind'], ReturnType<typeof setTimeout>>()
  const find = (kind: Toast['kind']): Toast | undefined => toasts.value.find((one) => one.kind === kind)
  const show = (toast: Toast): void => {
    toasts.value = [...toasts.value.filter(({ kind }) => kind !== toast.kind), toast]
    clearTimeout(timers.get(toast.kind))
    const end = (): void => {
      toasts.value = toasts.value.filter(({ kind }) => kind !== toast.kind)
    }
    timers.set(toast.kind, setTimeout(end, toastMs[toast.kind]))
  }
  return {
    toast: (kind, text, details = []) => {
      const shown = find(kind)
      // A held button causes one refusal.
      show(shown?.text === text ? { ...shown, details } : { id: nextId(), kind, text, details })
    },
    addToToast: (kind, detail) => {
      const shown = find(kind)
      show(
        shown === undefined
          ? { id: nextId(), kind, text: detail, details: [] }
          : { ...shown, details: [...shown.details, detail] },
      )
    },
  }
}

export const createHud = (): Hud => {
  let id = 0
  const nextId = (): number => {
    id += 1
    return id
  }
  const lines = signal<readonly ChatLine[]>([])
  const toasts = signal<readonly Toast[]>([])
  const screen = signal<Screen>('pause')
  const refusal = signal<Refusal | undefined>(undefined)
  const shown = createToasts(toasts, nextId)
  return {
    screen,
    curtain: signal<Curtain>({ kind: 'loading' }),
    lines,
    toasts,
    zone: signal<string | undefined>(undefined),
    kinds: signal<readonly BlockKind[]>([]),
    commands: signal<readonly CommandHint[]>([]),
    name: signal(''),
    motd: signal(''),
    others: signal<readonly string[]>([]),
    everybody: signal<Everybody | undefined>(undefined),
    groups: signal<readonly string[]>([]),
    zones: signal<readonly string[]>([]),
    slot: signal(0),
    isPanelOpen: signal(false),
    arePlayersShown: signal(false),
    figures: signal<Figures | undefined>(undefined),
    mayFly: signal(false),
    isFlying: signal(false),
    isInspecting: signal(false),
    refusal,
    isTouch: signal(matchMedia('(pointer: coarse)').matches),
    said: signal([]),
    swings: signal(0),
    draft: signal(''),
    say: (line) => {
      lines.value = [...lines.value, { ...line, id: nextId(), at: performance.now() }].slice(-linesMax)
    },
    ...shown,
    refuse: (text, explain) => {
      // A toast that is being read stays.
      if (screen.value !== 'why') refusal.value = explain === undefined ? undefined : { text, explain }
      shown.toast('refused', text, explain === undefined ? [] : [words.why.hint])
    },
  }
}
