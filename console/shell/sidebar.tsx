import { useEffect, useState } from 'preact/hooks'
import { askHow, serverName } from '../account/ask-how.ts'
import { Icon } from '../parts/icon.tsx'
import { Menu, MenuItem } from '../parts/menu.tsx'
import { connection } from '../state/api.ts'
import { health, readHealth } from '../state/health.ts'
import { useEvery, useLoad } from '../state/load.ts'
import { linkTo } from '../state/route.ts'
import { leave, may, mayDo, serverUrl } from '../state/session.ts'
import { chooseTheme, theme, themes } from '../state/theme.ts'
import { words } from '../words/of-frame.ts'
import { openHelp, openPalette, paletteKeys } from './keyboard.ts'
import { pages, sections } from './pages.tsx'

const healthMs = 5000
const nameMs = 60_000

const describeHealth = (): readonly [look: string, text: string] => {
  if (connection.value.isLost) return ['dot bad', words.shell.lost]
  if (health.value === undefined) return ['dot', words.shell.waiting]
  return health.value.ready ? ['dot good', words.shell.running] : ['dot bad', words.shell.notReady]
}

/** The name of the server, with a dot for its health. */
const ServerBadge = () => {
  const checked = useLoad(readHealth, [])
  useEvery(healthMs, checked.refresh)
  const named = useLoad(askHow, [])
  useEvery(nameMs, named.refresh)
  const [look, text] = describeHealth()
  return (
    <a class="brand" href={linkTo([])}>
      <span class="gate" aria-hidden="true" />
      <span class="brand-text">
        <bdi class="cut">{serverName.value ?? words.product}</bdi>
        <small class="quiet cut" title={location.host}>
          <span class={look} aria-hidden="true" />
          <span class="sr-only">{text}: </span>
          {location.host}
        </small>
      </span>
    </a>
  )
}

/** The pages that the user can open, in sections. Null for a section without such a page. */
const Section = ({
  name,
  current,
  close,
}: {
  readonly name: (typeof sections)[number]
  readonly current: string
  readonly close: () => void
}) => {
  const open = pages.filter(({ section, permission }) => section === name && (permission === undefined || mayDo(permission)))
  if (open.length === 0) return null
  const head = words.sections[name]
  return (
    <li>
      {head !== '' && (
        <p class="side-section" id={`section-${name}`}>
          {head}
        </p>
      )}
      <ul aria-labelledby={head === '' ? undefined : `section-${name}`}>
        {open.map(({ name: page, icon }) => (
          <li key={page}>
            <a href={linkTo([page])} aria-current={page === current ? 'page' : undefined} onClick={close}>
              <Icon name={icon} />
              {words.pages[page]}
            </a>
          </li>
        ))}
      </ul>
    </li>
  )
}

const ThemeChoice = () => (
  // biome-ignore lint/a11y/useSemanticElements: a menu has groups, not fieldsets.
  <div class="menu-themes" role="group" aria-label={words.shell.theme}>
    {themes.map((one) => (
      <button
        key={one}
        type="button"
        role="menuitemradio"
        tabIndex={-1}
        aria-checked={theme.value === one}
        onClick={() => chooseTheme(one)}
      >
        <Icon name={one} />
        {words.shell.themes[one]}
      </button>
    ))}
  </div>
)

/** The email of the user, and what concerns the user alone. */
const AccountMenu = () => (
  <Menu
    label={words.shell.accountOf(may.value?.email ?? '')}
    class="account-button"
    face={
      <>
        <Icon name="account" />
        <bdi class="cut">{may.value?.email}</bdi>
        <Icon name="more" />
      </>
    }
  >
    {mayDo('admin.users.read') && (
      <MenuItem icon="account" href={linkTo(['people', may.value?.email ?? ''])}>
        {words.shell.account}
      </MenuItem>
    )}
    <MenuItem icon="tokens" href={linkTo(['tokens'])}>
      {words.pages.tokens}
    </MenuItem>
    <ThemeChoice />
    <MenuItem icon="docs" href={`${serverUrl}/api/docs`}>
      {words.shell.apiDocs}
    </MenuItem>
    <MenuItem icon="help" act={openHelp}>
      {words.shell.keyboard}
    </MenuItem>
    <MenuItem icon="signOut" act={() => void leave()}>
      {words.signOut}
    </MenuItem>
  </Menu>
)

/** The sidebar: server, search, pages, account. A bar with a menu button on narrow screens. */
export const Sidebar = ({ current, skip }: { readonly current: string; readonly skip: () => void }) => {
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  useEffect(() => {
    const onKeyDown = ({ key }: KeyboardEvent) => {
      if (key === 'Escape') close()
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [])
  return (
    <header class={isOpen ? 'side open' : 'side'}>
      <button type="button" class="skip" onClick={skip}>
        {words.toContent}
      </button>
      <div class="side-head">
        <ServerBadge />
        <button type="button" class="menu-button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          <Icon name={isOpen ? 'cross' : 'menu'} />
          {words.menu}
        </button>
      </div>
      <div class="side-body">
        <button
          type="button"
          class="search-button"
          onClick={() => {
            close()
            openPalette()
          }}
        >
          <Icon name="search" />
          {words.shell.search}
          <kbd>{paletteKeys}</kbd>
        </button>
        <nav aria-label={words.menu}>
          <ul>
            {sections.map((name) => (
              <Section key={name} name={name} current={current} close={close} />
            ))}
          </ul>
        </nav>
        <div class="side-foot">
          <a class="side-link" href={`${serverUrl}/play`}>
            <Icon name="play" />
            {words.play}
          </a>
          <AccountMenu />
        </div>
      </div>
    </header>
  )
}
