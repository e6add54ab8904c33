import type { ComponentChildren } from 'preact'
import { Time } from '../parts/time.tsx'
import { call, connection } from '../state/api.ts'
import { health } from '../state/health.ts'
import { useEvery, useLoad } from '../state/load.ts'
import { linkTo } from '../state/route.ts'
import { mayDo } from '../state/session.ts'
import { words } from '../words.ts'

const refreshMs = 5000
const clock = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' })

const ifAllowed = async <T,>(permission: string, ask: () => Promise<T>): Promise<T | undefined> =>
  mayDo(permission) ? ask() : undefined

const askFacts = async (signal: AbortSignal) => {
  const [nodes, server, metrics, backups] = await Promise.all([
    call('GET /api/realtime/nodes', { signal }),
    ifAllowed('admin.metrics.read', async () => (await call('GET /api/admin/server', { signal })).body),
    ifAllowed('admin.metrics.read', async () => (await call('GET /api/admin/metrics', { query: {}, signal })).body),
    // A server without a data folder has no backups.
    ifAllowed('admin.backups.read', async () => (await call('GET /api/admin/backups', { signal })).body.backups).catch(
      () => undefined,
    ),
  ])
  const steps = metrics?.nodes.flatMap(({ steps: all }) => all.slice(-1))
  return {
    worlds: nodes.body.items,
    players: nodes.body.items.reduce((sum, { sessions }) => sum + sessions, 0),
    places: nodes.body.items.reduce((sum, { maxSessions }) => sum + maxSessions, 0),
    server,
    tickMs: steps === undefined || steps.length === 0 ? undefined : Math.max(...steps.map(({ tick }) => tick.p99Ms)),
    backups,
  }
}

const Fact = ({
  label,
  children,
  href,
}: {
  readonly label: string
  readonly children: ComponentChildren
  readonly href?: string
}) => (
  <div>
    <dt>{href === undefined ? label : <a href={href}>{label}</a>}</dt>
    <dd>{children}</dd>
  </div>
)

/** Whether the server runs. */
const Health = () => {
  const { isLost, lostAt } = connection.value
  const report = health.value
  const look = isLost ? 'dot bad' : report === undefined ? 'dot' : report.ready ? 'dot good' : 'dot bad'
  return (
    <>
      <span class={look} aria-hidden="true" />
      {isLost
        ? words.home.notAnswering(clock.format(lostAt))
        : report === undefined
          ? words.shell.waiting
          : report.ready
            ? words.home.ready
            : words.home.notReady}
    </>
  )
}

/** The state of the server in one line: health, version, uptime, players, tick time, last backup. Without an answer, no figure is shown as current. */
export const StatusStrip = () => {
  const facts = useLoad(askFacts, [])
  useEvery(refreshMs, facts.refresh)
  const { isLost } = connection.value
  const { server, backups } = facts.value ?? {}
  const { worlds, players, places, tickMs } = (isLost ? undefined : facts.value) ?? {}
  const mayMeasure = mayDo('admin.metrics.read')
  const isBegun = facts.value !== undefined
  const warnings = isLost ? undefined : (health.value?.warnings.length ?? 0)
  const newest = backups?.[0]?.at
  return (
    <dl class="strip" aria-label={words.home.health}>
      <Fact label={words.home.health}>
        <Health />
      </Fact>
      {mayMeasure && (
        <>
          <Fact label={words.home.version}>{server?.version ?? words.unknown}</Fact>
          <Fact label={words.home.started}>{server === undefined ? words.unknown : <Time at={server.startedAt} />}</Fact>
        </>
      )}
      <Fact label={words.home.players} {...(mayDo('admin.players.read') && { href: linkTo(['players']) })}>
        {players === undefined || places === undefined ? words.unknown : words.home.ofPlaces(players, places)}
      </Fact>
      <Fact label={words.home.worldsRunning} {...(mayDo('admin.worlds.read') && { href: linkTo(['worlds']) })}>
        <bdi>{worlds === undefined ? words.unknown : words.listNames(worlds.map(({ world }) => world)) || words.none}</bdi>
        {worlds?.some(({ state }) => state === 'draining') && <span class="badge warn">{words.home.draining}</span>}
      </Fact>
      {mayMeasure && (
        <Fact label={words.home.ticksShort}>
          {tickMs === undefined ? (
            words.unknown
          ) : (
            <span class={tickMs > 50 ? 'bad-text' : undefined}>{words.home.ofBudget(tickMs)}</span>
          )}
        </Fact>
      )}
      {mayDo('admin.backups.read') && (!isBegun || backups !== undefined) && (
        <Fact label={words.home.lastBackup} href={linkTo(['backups'])}>
          {backups === undefined ? (
            words.unknown
          ) : newest === undefined ? (
            <span class="bad-text">{words.home.noBackup}</span>
          ) : (
            <Time at={newest} />
          )}
        </Fact>
      )}
      <Fact label={words.home.warnings}>
        {warnings === undefined ? words.unknown : warnings === 0 ? words.none : <span class="bad-text">{warnings}</span>}
      </Fact>
    </dl>
  )
}
