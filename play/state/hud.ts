import { type Signal, signal } from '@preact/signals'

export type ChatLine = {
  readonly id: number
  readonly kind: 'chat' | 'info' | 'warning' | 'error' | 'own'
  readonly from?: string
  readonly text: string
  readonly at: number
}
export type Toast = { readonly id: number; readonly kind: 'refused' | 'zone' | 'info'; readonly text: string }
export type CommandHint = { readonly name: string; readonly usage: string; readonly description: string }
export type BlockKind = { readonly index: number; readonly id: string; readonly colour: number; readonly solid: boolean }

/** What the panel shows; made four times a second. */
export type Figures = {
  readonly frames: number
  readonly worstMs: number
  readonly ping: number | undefined
  readonly x: number
  readonly y: number
  readonly z: number
  readonly yaw: number
  readonly columns: number
  readonly meshed: number
  readonly waiting: number
  readonly calls: number
  readonly triangles: number
  readonly meshMs: number
  readonly players: number
  readonly tick: number
  readonly scale: number
  readonly block: string
}

/** What stands in the way of the game. */
export type Curtain =
  | { readonly kind: 'none' }
  | { readonly kind: 'loading' }
  | { readonly kind: 'lost'; readonly text: string; readonly retryAt: number | undefined }
  | { readonly kind: 'ended'; readonly text: string }

/** Which window is open over the game. */
export type Screen = 'none' | 'pause' | 'chat' | 'blocks' | 'settings'

/** All that the pages over the game show. The game writes it; components read it. */
export type Hud = {
  readonly screen: Signal<Screen>
  readonly curtain: Signal<Curtain>
  readonly lines: Signal<readonly ChatLine[]>
  readonly toasts: Signal<readonly Toast[]>
  readonly zone: Signal<string | undefined>
  readonly kinds: Signal<readonly BlockKind[]>
  readonly commands: Signal<readonly CommandHint[]>
  readonly others: Signal<readonly string[]>
  readonly slot: Signal<number>
  readonly isPanelOpen: Signal<boolean>
  readonly arePlayersShown: Signal<boolean>
  readonly figures: Signal<Figures | undefined>
  readonly mayFly: Signal<boolean>
  readonly isFlying: Signal<boolean>
  readonly isTouch: Signal<boolean>
  readonly draft: Signal<string>
  say(line: Omit<ChatLine, 'id' | 'at'>): void
  toast(kind: Toast['kind'], text: string): void
}

const linesMax = 200
const toastMs = 3_500

export const createHud = (): Hud => {
  let id = 0
  const lines = signal<readonly ChatLine[]>([])
  const toasts = signal<readonly Toast[]>([])
  return {
    screen: signal<Screen>('pause'),
    curtain: signal<Curtain>({ kind: 'loading' }),
    lines,
    toasts,
    zone: signal<string | undefined>(undefined),
    kinds: signal<readonly BlockKind[]>([]),
    commands: signal<readonly CommandHint[]>([]),
    others: signal<readonly string[]>([]),
    slot: signal(0),
    isPanelOpen: signal(false),
    arePlayersShown: signal(false),
    figures: signal<Figures | undefined>(undefined),
    mayFly: signal(false),
    isFlying: signal(false),
    isTouch: signal(matchMedia('(pointer: coarse)').matches),
    draft: signal(''),
    say: (line) => {
      id += 1
      lines.value = [...lines.value, { ...line, id, at: performance.now() }].slice(-linesMax)
    },
    toast: (kind, text) => {
      id += 1
      const toast = { id, kind, text }
      // One of a kind at a time: who holds the button down is told once.
      toasts.value = [...toasts.value.filter((other) => other.kind !== kind), toast]
      setTimeout(() => {
        toasts.value = toasts.value.filter((other) => other !== toast)
      }, toastMs)
    },
  }
}
