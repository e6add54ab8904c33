import { useSignal } from '@preact/signals'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { completeLine } from '../state/complete-line.ts'
import type { ChatLine, Hud } from '../state/hud.ts'
import { recallLine } from '../state/said-lines.ts'
import { words } from '../words.ts'
import { Isolated } from './isolated.tsx'

/** Names of all connected players. */
const listNames = (hud: Hud): readonly string[] => hud.everybody.value?.people.map(({ displayName }) => displayName) ?? []

const lineMax = 512
const shownMs = 9_000

/** A chat line, always shown as plain text. */
const Line = ({ line }: { line: ChatLine }) => (
  <p class={`line ${line.kind}`}>
    {line.from === undefined ? null : (
      <bdi>
        <b>{line.from}</b>
      </bdi>
    )}
    <span>
      <bdi>
        <Isolated text={line.text} />
      </bdi>
    </span>
  </p>
)

/** The last lines, which fade; all lines while typing. */
export const ChatLog = ({ hud }: { hud: Hud }) => {
  const again = useSignal(0)
  const isOpen = hud.screen.value === 'chat'
  const lines = hud.lines.value
  useEffect(() => {
    const timer = setInterval(() => {
      again.value += 1
    }, 1_000)
    return () => clearInterval(timer)
  }, [again])
  const log = useRef<HTMLDivElement>(null)
  const newest = lines.at(-1)?.id
  const isAtEnd = useRef(true)
  // Scrolls to the newest line, unless the player has scrolled up.
  useLayoutEffect(() => {
    if (!isOpen) isAtEnd.current = true
    else if (isAtEnd.current && newest !== undefined) log.current?.scrollTo({ top: log.current.scrollHeight })
  }, [isOpen, newest])
  const now = again.value >= 0 ? performance.now() : 0
  const shown = isOpen ? lines : lines.slice(-8).filter(({ at }) => now - at < shownMs)
  return (
    <div
      ref={log}
      class={isOpen ? 'log open' : 'log'}
      role="log"
      aria-live="polite"
      onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
        isAtEnd.current = scrollHeight - scrollTop - clientHeight < 24
      }}
    >
      {shown.map((line) => (
        <Line key={line.id} line={line} />
      ))}
    </div>
  )
}

/** The chat input. Tab completes, the arrows recall sent lines. */
export const ChatEntry = ({ hud, onSay, onDone }: { hud: Hud; onSay: (text: string) => void; onDone: () => void }) => {
  const field = useRef<HTMLInputElement>(null)
  const chosen = useSignal(0)
  const back = useSignal(0)
  // Focuses before the browser paints, so that no letter is lost.
  useLayoutEffect(() => {
    const input = field.current
    input?.focus()
    input?.setSelectionRange(input.value.length, input.value.length)
  }, [])
  // Typing continues after a click elsewhere.
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.target === field.current || event.isComposing) return
      const isPressing = event.key === ' ' && event.target instanceof HTMLButtonElement
      const isShortcut = (event.ctrlKey || event.metaKey || event.altKey) && !event.getModifierState('AltGraph')
      if (event.key === 'Escape') onDone()
      else if (event.key.length === 1 && !isPressing && !isShortcut) field.current?.focus()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [onDone])
  const { usage, options: found } = completeLine(hud.draft.value, {
    commands: hud.commands.value,
    people: [...new Set([...hud.others.value, hud.name.value, ...listNames(hud)])],
    groups: hud.groups.value,
    zones: hud.zones.value,
  })
  const at = Math.min(chosen.value, Math.max(0, found.length - 1))
  const take = (line: string): void => {
    hud.draft.value = line
    chosen.value = 0
    back.value = 0
    field.current?.focus()
  }
  const press = (event: KeyboardEvent): void => {
    // Ignores keys that an input method uses.
    if (event.isComposing) return
    const picked = found[at]
    if (event.key === 'Escape') onDone()
    else if (event.key === 'Tab') {
      event.preventDefault()
      if (picked !== undefined) take(picked.line)
    } else if (event.key === 'ArrowUp' || event.key === 'ArrowDown') {
      event.preventDefault()
      const step = event.key === 'ArrowUp' ? -1 : 1
      // While recalling lines, the arrows ignore completions.
      if (found.length > 0 && back.value === 0) chosen.value = (at + step + found.length) % found.length
      else {
        const said = hud.said.value
        back.value = Math.max(0, Math.min(said.length, back.value - step))
        hud.draft.value = recallLine(said, back.value)
      }
    }
  }
  return (
    <form
      class="entry"
      onSubmit={(event) => {
        event.preventDefault()
        const text = hud.draft.value.trim()
        hud.draft.value = ''
        if (text !== '') onSay(text)
        onDone()
      }}
    >
      {usage === undefined ? null : (
        <p class="usage">
          <code>{usage.label}</code> <span>{usage.description}</span>
        </p>
      )}
      {found.length === 0 ? null : (
        <ul class="completions" aria-label={words.chat.commands}>
          {found.map(({ line, label, description }, index) => (
            <li key={`${line} ${label}`}>
              <button type="button" class={index === at ? 'chosen' : ''} onClick={() => take(line)}>
                <code>
                  <bdi>{label}</bdi>
                </code>{' '}
                <span>{description}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      <input
        ref={field}
        value={hud.draft.value}
        maxLength={lineMax}
        placeholder={words.chat.say}
        aria-label={words.chat.label}
        autoComplete="off"
        spellcheck={false}
        onInput={({ currentTarget }) => {
          hud.draft.value = currentTarget.value
          chosen.value = 0
          back.value = 0
        }}
        onKeyDown={press}
      />
      {hud.isTouch.value ? (
        <>
          <button type="submit" class="main">
            {words.chat.go}
          </button>
          <button type="button" class="close" aria-label={words.close} onClick={onDone}>
            ×
          </button>
        </>
      ) : null}
    </form>
  )
}
