import type { ComponentChildren } from 'preact'
import { type Hud, mayRun } from '../state/hud.ts'
import { words } from '../words.ts'

const hintsFor = (hud: Hud): readonly (readonly string[])[] => {
  if (hud.isTouch.value) return words.pause.touchHints
  const { hints, flyHint, inspectHint } = words.pause
  return [...hints, ...(hud.mayFly.value ? [flyHint] : []), ...(mayRun(hud, 'inspect') ? [inspectHint] : [])]
}

/** The card before one plays, and whenever the mouse is let go. */
export const Pause = ({
  hud,
  onResume,
  onUndo,
  onSignOut,
  children,
}: {
  hud: Hud
  onResume: () => void
  onUndo: () => void
  onSignOut: () => void
  children?: ComponentChildren
}) => (
  <div class="shade">
    <div class="window pause" role="dialog" aria-label={words.pause.title}>
      <h1>{words.title}</h1>
      <p>{words.pause.as(hud.name.value)}</p>
      {hud.motd.value === '' ? null : <p class="motd">{hud.motd.value}</p>}
      <p class="buttons">
        <button type="button" class="main" onClick={onResume}>
          {words.pause.resume}
        </button>
        <button
          type="button"
          onClick={() => {
            hud.screen.value = 'settings'
          }}
        >
          {words.pause.settings}
        </button>
        {mayRun(hud, 'undo') ? (
          <button type="button" onClick={onUndo}>
            {words.pause.undo}
          </button>
        ) : null}
        {hud.refusal.value === undefined ? null : (
          <button
            type="button"
            onClick={() => {
              hud.screen.value = 'why'
            }}
          >
            {words.why.title}
          </button>
        )}
        <button type="button" onClick={onSignOut}>
          {words.pause.signOut}
        </button>
      </p>
      {children}
      <dl>
        {hintsFor(hud).map(([keys, meaning]) => (
          <div key={keys}>
            <dt>{keys}</dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </div>
  </div>
)
