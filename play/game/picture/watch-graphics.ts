import type { Stage } from '../../render/stage.ts'
import type { Hud } from '../../state/hud.ts'
import { words } from '../../words.ts'

export type GraphicsWatch = {
  /** Shows the loss again, if the graphics are lost. */
  tellAgain(): void
  stop(): void
}

export type GraphicsWatchOptions = {
  readonly stage: Pick<Stage, 'isLost' | 'watch'>
  readonly hud: Pick<Hud, 'curtain' | 'toast'>
  /** The graphics are not restored. The screen has buttons, which need the mouse. */
  readonly onGone: () => void
  /** The context is restored, without its previous contents. */
  readonly onRestored: () => void
}

/** After this time a restore is not expected. */
const goneMs = 10_000

/** Tells the player when the graphics context is lost, given up and restored. */
export const watchGraphics = ({ stage, hud, onGone, onRestored }: GraphicsWatchOptions): GraphicsWatch => {
  let goneTimer: ReturnType<typeof setTimeout> | undefined
  let isGone = false
  const tellGone = (): void => {
    // The reason for the end of the session stays visible.
    if (hud.curtain.value.kind !== 'ended')
      hud.curtain.value = { kind: 'ended', title: words.errors.contextGone, text: words.errors.contextGoneHelp }
    onGone()
  }
  const lose = (): void => {
    hud.toast('info', words.errors.contextLost)
    clearTimeout(goneTimer)
    goneTimer = setTimeout(() => {
      isGone = true
      tellGone()
    }, goneMs)
  }
  stage.watch({
    onLost: lose,
    onRestored: () => {
      clearTimeout(goneTimer)
      isGone = false
      if (hud.curtain.value.kind === 'ended' && hud.curtain.value.title === words.errors.contextGone)
        hud.curtain.value = { kind: 'none' }
      hud.toast('info', words.errors.contextBack)
      onRestored()
    },
  })
  // The context may be lost during sign-in.
  if (stage.isLost()) lose()
  return {
    tellAgain: () => {
      if (isGone) tellGone()
    },
    stop: () => clearTimeout(goneTimer),
  }
}
