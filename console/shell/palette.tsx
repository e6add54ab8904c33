import type { ComponentChild } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { isSchema, listProperties, type Schema } from '../configs/schema.ts'
import { commands } from '../live/game-line.ts'
import { Dialog } from '../parts/dialog.tsx'
import { Icon } from '../parts/icon.tsx'
import { call } from '../state/api.ts'
import { useLoad } from '../state/load.ts'
import { go, linkTo } from '../state/route.ts'
import { mayDo } from '../state/session.ts'
import { words } from '../words/of-frame.ts'
import { wordsOfPalette } from '../words/of-palette.ts'
import { closeLayer } from './keyboard.ts'
import { type Entry, type Kind, matchEntries } from './match-entries.ts'
import { pageCommands } from './page-commands.ts'
import { pages } from './pages.tsx'
import { readCommandText } from './read-command-text.ts'

const depthMax = 3
/** More than are shown: the server sorts by email, and an exact name must be found. */
const accountsMax = 100

const listPages = (): readonly Entry[] =>
  pages
    .filter(({ permission }) => permission === undefined || mayDo(permission))
    .map(({ name, icon }) => ({ kind: 'page', icon, title: words.pages[name], more: '', href: linkTo([name]) }))

/** The commands of the user in the game. Outside the game, the commands of pages. */
const listCommands = (text: string): readonly Entry[] => {
  const argument = readCommandText(text)?.argument ?? ''
  if (commands.value.length === 0)
    return pageCommands
      .filter(({ permission }) => mayDo(permission))
      .map(({ name, description, addressOf }) => ({
        kind: 'command',
        icon: 'console',
        title: `/${name}`,
        more: description,
        href: addressOf(argument),
      }))
  return commands.value.map(({ name, description }) => ({
    kind: 'command',
    icon: 'console',
    title: `/${name.replace(/^\//, '')}`,
    more: description,
    href: linkTo(['console'], { line: `/${name.replace(/^\//, '')} ${argument}` }),
  }))
}

const findZones = async (signal: AbortSignal): Promise<readonly Entry[]> => {
  if (!mayDo('admin.instances.read')) return []
  const zones = (await call('GET /api/admin/instances', { query: {}, signal })).body
  return zones.map(({ id, name, world }) => ({ kind: 'zone', icon: 'zone', title: name, more: world, href: linkTo(['map', id]) }))
}

/** The keys of a schema as dotted paths, with their descriptions. */
const listKeys = (schema: Schema, path: readonly string[] = []): readonly (readonly [path: string, description: string])[] =>
  listProperties(schema).flatMap(([name, child]) => {
    const at = [...path, name]
    const inside = at.length < depthMax ? listKeys(child, at) : []
    return inside.length > 0 ? inside : [[at.join('.'), String(child.description ?? '')] as const]
  })

const findSettings = async (signal: AbortSignal): Promise<readonly Entry[]> => {
  if (!mayDo('admin.configs.read')) return []
  const names = (await call('GET /api/admin/configs', { signal })).body
  const files: readonly Entry[] = names.map((name) => ({
    kind: 'setting',
    icon: 'configs',
    title: name,
    more: '',
    href: linkTo(['configs', name]),
  }))
  const schema = (await call('GET /api/admin/schemas/{filename}', { params: { filename: 'server.schema.json' }, signal })).body
  if (!isSchema(schema)) return files
  const keys = listKeys(schema).map(
    ([title, more]): Entry => ({
      kind: 'setting',
      icon: 'configs',
      title,
      more,
      href: linkTo(['configs', 'server.yaml'], { key: title }),
    }),
  )
  return [...files, ...keys]
}

const settleMs = 120

const findAccounts = async (text: string, signal: AbortSignal): Promise<readonly Entry[]> => {
  if (!mayDo('admin.users.read') || text === '') return []
  await new Promise((resolve) => setTimeout(resolve, settleMs))
  signal.throwIfAborted()
  const { users } = (await call('GET /api/admin/users', { query: { q: text, limit: accountsMax }, signal })).body
  return users.map(({ email, displayName }) => ({
    kind: 'account',
    icon: 'account',
    title: displayName,
    more: email,
    href: linkTo(['people', email]),
  }))
}

/** The results of one kind under their heading; nothing without results. */
const Group = ({ kind, children }: { readonly kind: Kind; readonly children: readonly ComponentChild[] }) =>
  children.some((one) => one !== null) ? (
    // biome-ignore lint/a11y/useSemanticElements: a list of options has groups, not fieldsets.
    <div role="group" aria-label={wordsOfPalette.palette.kinds[kind]}>
      <p class="palette-kind" aria-hidden="true">
        {wordsOfPalette.palette.kinds[kind]}
      </p>
      {children}
    </div>
  ) : null

/** Finds pages, accounts, zones, settings and commands by a part of their name. */
export const Palette = () => {
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const listId = useId()
  const list = useRef<HTMLDivElement>(null)
  const zones = useLoad(findZones, [])
  const settings = useLoad(findSettings, [])
  const accounts = useLoad((signal) => findAccounts(text.trim(), signal), [text.trim()])
  const all = [
    ...listPages(),
    ...(accounts.value ?? []),
    ...(zones.value ?? []),
    ...listCommands(text),
    ...(settings.value ?? []),
  ]
  const { shown, kinds } = matchEntries(all, text)
  const current = Math.min(at, shown.length - 1)
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }, [current, shown.length])
  const open = (entry: Entry | undefined) => {
    if (entry === undefined) return
    closeLayer()
    go(entry.href)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined && shown.length > 0) setAt((current + step + shown.length) % shown.length)
    else if (event.key === 'Enter') open(shown[current])
    else return
    event.preventDefault()
  }
  return (
    <Dialog title={wordsOfPalette.palette.title} close={closeLayer} look="palette">
      <div class="palette-field">
        <Icon name="search" />
        <input
          type="text"
          role="combobox"
          aria-label={wordsOfPalette.palette.field}
          aria-expanded="true"
          aria-controls={listId}
          aria-activedescendant={shown.length > 0 ? `${listId}-${current}` : undefined}
          placeholder={wordsOfPalette.palette.field}
          value={text}
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          onInput={({ currentTarget }) => {
            setText(currentTarget.value)
            setAt(0)
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <p class="sr-only" role="status">
        {wordsOfPalette.palette.counted(shown.length)}
      </p>
      {shown.length === 0 && !accounts.isLoading && <p class="quiet palette-none">{wordsOfPalette.palette.nothing(text)}</p>}
      {/* The field keeps the focus, and names the option with aria-activedescendant. */}
      <div ref={list} id={listId} role="listbox" tabIndex={-1} aria-label={wordsOfPalette.palette.results} class="palette-list">
        {kinds.map((kind) => (
          <Group key={kind} kind={kind}>
            {shown.map((entry, index) =>
              entry.kind === kind ? (
                // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys.
                <div
                  key={`${entry.href} ${entry.title}`}
                  id={`${listId}-${index}`}
                  role="option"
                  tabIndex={-1}
                  aria-selected={index === current}
                  onMouseMove={() => setAt(index)}
                  onClick={() => open(entry)}
                >
                  <Icon name={entry.icon} />
                  <bdi class="palette-title">{entry.title}</bdi>
                  <bdi class="quiet cut">{entry.more}</bdi>
                </div>
              ) : null,
            )}
          </Group>
        ))}
      </div>
      <p class="palette-foot quiet" aria-hidden="true">
        <kbd>{wordsOfPalette.palette.keys.up}</kbd>
        <kbd>{wordsOfPalette.palette.keys.down}</kbd>
        {wordsOfPalette.palette.move}
        <kbd>{wordsOfPalette.palette.keys.enter}</kbd>
        {wordsOfPalette.palette.open}
        <kbd>{wordsOfPalette.palette.keys.escape}</kbd>
        {wordsOfPalette.palette.leave}
      </p>
    </Dialog>
  )
}
