import type { Hud } from '../state/hud.ts'
import { words } from '../words.ts'

/** The card before one plays, and whenever the mouse is let go. */
export const Pause = ({
  hud,
  name,
  onResume,
  onSignOut,
}: {
  hud: Hud
  name: string
  onResume: () => void
  onSignOut: () => void
}) => (
  <div class="shade">
    <div class="window pause" role="dialog" aria-label={words.pause.title}>
      <h1>{words.title}</h1>
      <p>{words.pause.as(name)}</p>
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
        <button type="button" onClick={onSignOut}>
          {words.pause.signOut}
        </button>
      </p>
      <dl>
        {(hud.isTouch.value ? words.pause.touchHints : words.pause.hints).map(([keys, meaning]) => (
          <div key={keys}>
            <dt>{keys}</dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </div>
  </div>
)
