import { useEffect, useRef, useState } from 'preact/hooks'
import { call } from '../state/api.ts'
import { useLoad } from '../state/load.ts'
import { route } from '../state/route.ts'
import { mayDo } from '../state/session.ts'
import { words } from '../words.ts'
import type { Known } from './argument-kinds.ts'
import { completeCommand, findCommandFault } from './complete-command.ts'
import { commands, game, sendLine } from './game-line.ts'
import { findCommand, hideSecrets } from './read-command.ts'

const listMax = 12
const charactersMax = 512
const sentMax = 50

const ifAllowed = async <T,>(permission: string, ask: () => Promise<readonly T[]>): Promise<readonly T[]> =>
  mayDo(permission) ? ask() : []

/** Values that complete arguments, as far as the user can read them. */
const askKnown = async (signal: AbortSignal, wantsZones: boolean): Promise<Omit<Known, 'commands'>> => {
  const [players, groups, configs, zones] = await Promise.all([
    ifAllowed('admin.players.read', async () => {
      const { body } = await call('GET /api/admin/players', { query: { limit: 200 }, signal })
      return body.players
    }),
    ifAllowed('admin.users.read', async () => (await call('GET /api/admin/groups', { signal })).body.groups),
    ifAllowed('admin.configs.read', async () => (await call('GET /api/admin/configs', { signal })).body),
    ifAllowed('admin.instances.read', async () => (wantsZones ? (await call('GET /api/admin/instances', { signal })).body : [])),
  ])
  return {
    players: players.map(({ displayName }) => displayName),
    emails: players.map(({ email }) => email),
    groups: groups.map(({ name }) => name),
    configs,
    zones: zones.map(({ id }) => id),
  }
}

const nothing = { players: [], emails: [], groups: [], configs: [], zones: [] } as const

/** The input for chat and commands. The arrows recall sent lines, Tab takes the first completion. */
export const Entry = () => {
  const input = useRef<HTMLInputElement>(null)
  // The button that opened it is gone, and the focus with it.
  useEffect(() => {
    if (document.activeElement === document.body) input.current?.focus()
  }, [])
  // A link of the search has the beginning of a command.
  const [text, setText] = useState(() => route.peek().query.get('line') ?? '')
  const [sent, setSent] = useState<readonly string[]>([])
  const [back, setBack] = useState(0)
  // There may be ten thousand zones, so they are read only when a zone command is typed.
  const wantsZones = text.startsWith('/zone:')
  const asked = useLoad((signal) => askKnown(signal, wantsZones), [wantsZones])
  const all = commands.value
  const known = { ...(asked.value ?? nothing), commands: all.map(({ name }) => name.replace(/^\//, '')) }
  const options = completeCommand(text, all, known).slice(0, listMax)
  const fault = findCommandFault(text, all)
  const command = findCommand(text, all)
  const recall = (steps: number) => {
    const next = Math.max(0, Math.min(sent.length, back + steps))
    setBack(next)
    setText(next === 0 ? '' : (sent.at(-next) ?? ''))
  }
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    const line = text.trim()
    if (line === '' || typeof game.value !== 'object') return
    // Lines with a secret are not stored.
    if (hideSecrets(line, all) === line) setSent([...sent, line].slice(-sentMax))
    setBack(0)
    setText('')
    if (!(await sendLine(line))) setText((typed) => (typed === '' ? line : typed))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // Ignores keys that an input method uses.
    if (event.isComposing) return
    const [first] = options
    if (event.key === 'Tab' && !event.shiftKey && first !== undefined) setText(`${first} `)
    else if (event.key === 'ArrowUp') recall(1)
    else if (event.key === 'ArrowDown') recall(-1)
    else return
    event.preventDefault()
  }
  return (
    <form onSubmit={submit}>
      <div class="entry-row">
        <input
          ref={input}
          aria-label={words.live.line}
          aria-describedby="line-usage"
          aria-invalid={fault !== undefined}
          value={text}
          maxLength={charactersMax}
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        <button type="submit" class="main" disabled={text.trim() === ''}>
          {words.live.send}
        </button>
      </div>
      <div id="line-usage" class="usage" aria-live="polite">
        {command === undefined ? (
          <span class="quiet">{fault ?? words.live.hint}</span>
        ) : (
          <>
            <code>{command.usage}</code> <span class="quiet">{command.description}</span>
            {fault !== undefined && <strong class="bad-text"> {fault}</strong>}
          </>
        )}
      </div>
      {options.length > 0 && (
        <ul class="plain-list suggestions" aria-label={words.live.completions}>
          {options.map((option) => (
            <li key={option}>
              <button type="button" class="menu-item" onClick={() => setText(`${option} `)}>
                <code>
                  <bdi>{option}</bdi>
                </code>
                {/* The usage line describes the command of an argument. */}
                {command === undefined && <small class="quiet">{findCommand(option, all)?.description}</small>}
              </button>
            </li>
          ))}
        </ul>
      )}
    </form>
  )
}
