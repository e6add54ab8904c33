import type { ComponentChildren } from 'preact'
import { useKeyNames } from '../input/key-names.ts'
import type { KeyNames } from '../input/layout-names.ts'
import { useFocus } from '../input/window-keys.ts'
import { type Hud, mayRun } from '../state/hud.ts'
import type { Keys } from '../state/settings.ts'
import { words } from '../words.ts'
import { Isolated } from './isolated.tsx'

const hintsFor = (hud: Hud, keys: Keys, nameOf: KeyNames): readonly (readonly string[])[] => {
  if (hud.isTouch.value) return words.pause.touchHints
  const { hints, flyHint, inspectHint } = words.pause
  const names = Object.fromEntries(Object.entries(keys).map(([action, code]) => [action, nameOf(code)])) as Keys
  return [...hints(names), ...(hud.mayFly.value ? [flyHint(names)] : []), ...(mayRun(hud, 'inspect') ? [inspectHint(names)] : [])]
}

/** The menu before the game, and whenever the mouse is released. */
export const Pause = ({
  hud,
  keys,
  onResume,
  onUndo,
  onSignOut,
  children,
}: {
  hud: Hud
  keys: Keys
  onResume: () => void
  onUndo: () => void
  onSignOut: () => void
  children?: ComponentChildren
}) => {
  const play = useFocus()
  const nameOf = useKeyNames()
  return (
    <div class="shade">
      <div class="window pause" role="dialog" aria-modal="true" aria-label={words.pause.title}>
        <h1>{words.title}</h1>
        <p>
          <Isolated text={words.pause.as(hud.name.value)} />
        </p>
        {hud.motd.value === '' ? null : (
          <p class="motd">
            <bdi>{hud.motd.value}</bdi>
          </p>
        )}
        <p class="buttons">
          <button ref={play} type="button" class="main" onClick={onResume}>
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
          {hintsFor(hud, keys, nameOf).map(([names, meaning]) => (
            <div key={meaning}>
              <dt>{names}</dt>
              <dd>{meaning}</dd>
            </div>
          ))}
        </dl>
      </div>
    </div>
  )
}
