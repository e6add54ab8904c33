import type { ComponentChild } from 'preact'
import { HomePage } from './home/home-page.tsx'
import { Lazy } from './parts/lazy.tsx'
import { PeoplePage } from './people/people-page.tsx'
import type { words } from './words.ts'

/** A page of the console. */
export type Page = {
  /** The first part of the address. */
  readonly name: keyof typeof words.pages
  /** The permission that the page needs. */
  readonly permission?: string
  readonly show: (parts: readonly string[]) => ComponentChild
}

/** In the order of the menu. */
export const pages: readonly Page[] = [
  { name: 'home', show: () => <HomePage /> },
  {
    name: 'people',
    permission: 'admin.users.read',
    show: ([email]) =>
      email === undefined ? (
        <PeoplePage />
      ) : (
        <Lazy
          key={email}
          name="account"
          of={async () => (await import('./people/account-page.tsx')).AccountPage}
          props={{ email }}
        />
      ),
  },
  {
    name: 'groups',
    permission: 'admin.users.read',
    show: () => <Lazy name="groups" of={async () => (await import('./groups/groups-page.tsx')).GroupsPage} props={{}} />,
  },
  {
    name: 'players',
    permission: 'admin.players.read',
    show: () => <Lazy name="players" of={async () => (await import('./players/players-page.tsx')).PlayersPage} props={{}} />,
  },
  {
    name: 'moderation',
    permission: 'admin.sanctions.read',
    show: () => (
      <Lazy name="moderation" of={async () => (await import('./moderation/moderation-page.tsx')).ModerationPage} props={{}} />
    ),
  },
  {
    name: 'console',
    show: () => <Lazy name="console" of={async () => (await import('./live/console-page.tsx')).ConsolePage} props={{}} />,
  },
  {
    name: 'configs',
    permission: 'admin.configs.read',
    show: ([file]) => (
      <Lazy name="configs" of={async () => (await import('./configs/configs-page.tsx')).ConfigsPage} props={{ file }} />
    ),
  },
  {
    name: 'map',
    permission: 'admin.worlds.read',
    show: ([zone, view]) =>
      zone === undefined ? (
        <Lazy name="map" of={async () => (await import('./map/map-page.tsx')).MapPage} props={{}} />
      ) : view === 'blocks' ? (
        <Lazy
          key={`${zone} blocks`}
          name="editor"
          of={async () => (await import('./zones/editor/editor-page.tsx')).EditorPage}
          props={{ id: zone }}
        />
      ) : (
        <Lazy key={zone} name="zone" of={async () => (await import('./zones/zone-page.tsx')).ZonePage} props={{ id: zone }} />
      ),
  },
  {
    name: 'worlds',
    permission: 'admin.worlds.read',
    show: () => <Lazy name="worlds" of={async () => (await import('./worlds/worlds-page.tsx')).WorldsPage} props={{}} />,
  },
  {
    name: 'jobs',
    permission: 'admin.jobs.read',
    show: () => <Lazy name="jobs" of={async () => (await import('./jobs/jobs-page.tsx')).JobsPage} props={{}} />,
  },
  {
    name: 'backups',
    permission: 'admin.backups.read',
    show: () => <Lazy name="backups" of={async () => (await import('./backups/backups-page.tsx')).BackupsPage} props={{}} />,
  },
  {
    name: 'tokens',
    show: () => <Lazy name="tokens" of={async () => (await import('./tokens/tokens-page.tsx')).TokensPage} props={{}} />,
  },
  {
    name: 'audit',
    permission: 'admin.audit.read',
    show: () => <Lazy name="audit" of={async () => (await import('./audit/audit-page.tsx')).AuditPage} props={{}} />,
  },
]
