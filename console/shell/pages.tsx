import type { ComponentChild } from 'preact'
import type { IconName } from '../parts/icon.tsx'
import { Lazy } from '../parts/lazy.tsx'
import type { words } from '../words/of-frame.ts'

/** The parts of the sidebar, in order. */
export const sections = ['overview', 'people', 'world', 'server'] as const
type Section = (typeof sections)[number] | 'account'

/** A page of the console. */
export type Page = {
  /** The first part of the address. */
  readonly name: keyof typeof words.pages
  /** Its place in the sidebar. Pages of the account are in the account menu. */
  readonly section: Section
  readonly icon: IconName
  /** The key after `g` that opens the page. */
  readonly key: string
  /** The permission that the page needs. */
  readonly permission?: string
  readonly show: (parts: readonly string[]) => ComponentChild
}

/** In the order of the sidebar. */
export const pages: readonly Page[] = [
  {
    name: 'home',
    section: 'overview',
    icon: 'overview',
    key: 'o',
    show: () => <Lazy name="home" of={async () => (await import('../home/home-page.tsx')).HomePage} props={{}} />,
  },
  {
    name: 'people',
    section: 'people',
    icon: 'people',
    key: 'a',
    permission: 'admin.users.read',
    show: ([email]) =>
      email === undefined ? (
        <Lazy name="people" of={async () => (await import('../people/people-page.tsx')).PeoplePage} props={{}} />
      ) : (
        <Lazy
          key={email}
          name="account"
          of={async () => (await import('../people/account-page.tsx')).AccountPage}
          props={{ email }}
        />
      ),
  },
  {
    name: 'groups',
    section: 'people',
    icon: 'groups',
    key: 'g',
    permission: 'admin.users.read',
    show: () => <Lazy name="groups" of={async () => (await import('../groups/groups-page.tsx')).GroupsPage} props={{}} />,
  },
  {
    name: 'players',
    section: 'people',
    icon: 'players',
    key: 'n',
    permission: 'admin.players.read',
    show: () => <Lazy name="players" of={async () => (await import('../players/players-page.tsx')).PlayersPage} props={{}} />,
  },
  {
    name: 'moderation',
    section: 'people',
    icon: 'moderation',
    key: 'm',
    permission: 'admin.sanctions.read',
    show: ([tab]) => (
      <Lazy
        name="moderation"
        of={async () => (await import('../moderation/moderation-page.tsx')).ModerationPage}
        props={{ tab }}
      />
    ),
  },
  {
    name: 'map',
    section: 'world',
    icon: 'map',
    key: 'p',
    permission: 'admin.worlds.read',
    show: ([zone, view]) =>
      zone === undefined ? (
        <Lazy name="map" of={async () => (await import('../map/map-page.tsx')).MapPage} props={{}} />
      ) : view === 'blocks' ? (
        <Lazy
          key={`${zone} blocks`}
          name="editor"
          of={async () => (await import('../zones/editor/editor-page.tsx')).EditorPage}
          props={{ id: zone }}
        />
      ) : (
        <Lazy key={zone} name="zone" of={async () => (await import('../zones/zone-page.tsx')).ZonePage} props={{ id: zone }} />
      ),
  },
  {
    name: 'worlds',
    section: 'world',
    icon: 'worlds',
    key: 'w',
    permission: 'admin.worlds.read',
    show: () => <Lazy name="worlds" of={async () => (await import('../worlds/worlds-page.tsx')).WorldsPage} props={{}} />,
  },
  {
    name: 'backups',
    section: 'world',
    icon: 'backups',
    key: 'b',
    permission: 'admin.backups.read',
    show: () => <Lazy name="backups" of={async () => (await import('../backups/backups-page.tsx')).BackupsPage} props={{}} />,
  },
  {
    name: 'configs',
    section: 'server',
    icon: 'configs',
    key: 's',
    permission: 'admin.configs.read',
    show: ([file]) => (
      <Lazy name="configs" of={async () => (await import('../configs/configs-page.tsx')).ConfigsPage} props={{ file }} />
    ),
  },
  {
    name: 'console',
    section: 'server',
    icon: 'console',
    key: 'c',
    show: () => <Lazy name="console" of={async () => (await import('../live/console-page.tsx')).ConsolePage} props={{}} />,
  },
  {
    name: 'modules',
    section: 'server',
    icon: 'modules',
    key: 'd',
    permission: 'admin.modules.read',
    show: ([name]) => (
      <Lazy name="modules" of={async () => (await import('../modules/modules-page.tsx')).ModulesPage} props={{ name }} />
    ),
  },
  {
    name: 'jobs',
    section: 'server',
    icon: 'jobs',
    key: 'j',
    permission: 'admin.jobs.read',
    show: () => <Lazy name="jobs" of={async () => (await import('../jobs/jobs-page.tsx')).JobsPage} props={{}} />,
  },
  {
    name: 'audit',
    section: 'server',
    icon: 'audit',
    key: 'l',
    permission: 'admin.audit.read',
    show: () => <Lazy name="audit" of={async () => (await import('../audit/audit-page.tsx')).AuditPage} props={{}} />,
  },
  {
    name: 'tokens',
    section: 'account',
    icon: 'tokens',
    key: 't',
    show: () => <Lazy name="tokens" of={async () => (await import('../tokens/tokens-page.tsx')).TokensPage} props={{}} />,
  },
]
