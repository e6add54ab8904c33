import type { Signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { TouchPad } from '../input/controls.ts'
import { press } from '../input/press.ts'
import { placeKnob, readStick } from '../input/stick.ts'
import { type Hud, mayRun } from '../state/hud.ts'
import { words } from '../words.ts'

const Hold = ({ of, label, name }: { of: Signal<boolean>; label: string; name: string }) => {
  const set = (isDown: boolean) => () => {
    of.value = isDown
  }
  // An opening window removes the button under the thumb.
  useEffect(
    () => () => {
      of.value = false
    },
    [of],
  )
  return (
    <button
      type="button"
      class={name}
      aria-label={label}
      onPointerDown={set(true)}
      onPointerUp={set(false)}
      onPointerCancel={set(false)}
      onPointerLeave={set(false)}
    >
      {label}
    </button>
  )
}

/** The stick, and buttons for actions of keys. */
export const TouchButtons = ({ hud, pad, onPause }: { hud: Hud; pad: TouchPad; onPause: () => void }) => {
  const stick = pad.stick.value
  const knob = stick === undefined ? { x: 0, y: 0 } : placeKnob(stick)
  return (
    <div class="touch">
      {stick === undefined ? null : (
        <div
          class={readStick(stick).run ? 'stick running' : 'stick'}
          style={{ left: `${stick.fromX}px`, top: `${stick.fromY}px` }}
        >
          <i style={{ transform: `translate(${knob.x}px, ${knob.y}px)` }} />
        </div>
      )}
      <div class="corner">
        <button
          type="button"
          {...press(() => {
            hud.draft.value = ''
            hud.screen.value = 'chat'
          })}
        >
          {words.touch.chat}
        </button>
        <button
          type="button"
          {...press(() => {
            hud.screen.value = 'blocks'
          })}
        >
          {words.touch.blocks}
        </button>
        {mayRun(hud, 'inspect') ? (
          <button
            type="button"
            aria-pressed={hud.isInspecting.value}
            {...press(() => {
              hud.isInspecting.value = !hud.isInspecting.value
            })}
          >
            {words.touch.inspect}
          </button>
        ) : null}
        <button type="button" {...press(onPause)}>
          {words.touch.menu}
        </button>
      </div>
      {hud.mayFly.value ? (
        <button
          type="button"
          class="round fly"
          aria-pressed={hud.isFlying.value}
          {...press(() => {
            hud.isFlying.value = !hud.isFlying.value
          })}
        >
          {words.touch.fly}
        </button>
      ) : null}
      <Hold of={pad.jump} label={words.touch.jump} name="round jump" />
      {hud.isFlying.value ? <Hold of={pad.down} label={words.touch.down} name="round down" /> : null}
    </div>
  )
}
