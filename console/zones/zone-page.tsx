import { type ComponentChildren, Fragment } from 'preact'
import { useState } from 'preact/hooks'
import { AuditTable } from '../audit/audit-table.tsx'
import { Loading } from '../parts/loading.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { Time } from '../parts/time.tsx'
import { call } from '../state/api.ts'
import { useLoad } from '../state/load.ts'
import { useDialog } from '../state/open-dialog.ts'
import { learnNames, nameOf } from '../state/player-names.ts'
import { linkTo } from '../state/route.ts'
import { mayDo } from '../state/session.ts'
import { words } from './words.ts'
import { readZone, type Versioned, type Zone } from './zone.ts'
import { ChangeOwner, ChangeRules, ChangeSchedule, DeleteZone, SwitchZone } from './zone-dialogs.tsx'
import { ZoneMembers } from './zone-members.tsx'
import { ZoneSnapshots } from './zone-snapshots.tsx'

const dialogs = {
  owner: ChangeOwner,
  rules: ChangeRules,
  schedule: ChangeSchedule,
  enabled: SwitchZone,
  remove: DeleteZone,
} as const
type Dialog = keyof typeof dialogs

const Facts = ({ zone, change }: { readonly zone: Zone; readonly change: ComponentChildren }) => {
  useLoad((signal) => learnNames([zone.owner], signal), [zone.owner])
  return (
    <section class="card">
      <header class="card-head">
        <h2>{words.zone.what}</h2>
        {change}
      </header>
      {zone.ownerGone === true && <p class="box box-warn">{words.zone.ownerGoneLead}</p>}
      {zone.warning !== undefined && (
        <p class="box box-warn">
          <bdi>{zone.warning}</bdi>
        </p>
      )}
      <dl class="facts">
        <dt>{words.home.world}</dt>
        <dd>{zone.world}</dd>
        <dt>{words.worlds.columns}</dt>
        <dd>{zone.chunks.length.toLocaleString()}</dd>
        <dt>{words.zone.heights}</dt>
        <dd>{words.map.zones.heights(zone.yMin, zone.yMax)}</dd>
        <dt>{words.zone.owner}</dt>
        <dd>
          <bdi>{nameOf(zone.owner)}</bdi>
          {zone.ownerGone === true && <span class="badge bad">{words.zone.ownerGone}</span>}
        </dd>
        <dt>{words.zone.changed}</dt>
        <dd>
          <Time at={zone.updatedAt} />
        </dd>
      </dl>
    </section>
  )
}

const Rules = ({ zone: { rules } }: { readonly zone: Zone }) => (
  <dl class="facts">
    <dt>{words.zone.build}</dt>
    <dd>{words.zone.rules[rules?.build ?? 'permission']}</dd>
    <dt>{words.zone.enter}</dt>
    <dd>{words.zone.rules[rules?.enter ?? 'everyone']}</dd>
    <dt>{words.zone.greeting}</dt>
    <dd>
      <bdi>{rules?.greeting ?? words.none}</bdi>
    </dd>
    <dt>{words.zone.farewell}</dt>
    <dd>
      <bdi>{rules?.farewell ?? words.none}</bdi>
    </dd>
  </dl>
)

/** The parts of the schedule that are set. */
const Schedule = ({ zone: { opensAt, closesAt, expiresAt, hours, timeZone = 'UTC', reset } }: { readonly zone: Zone }) => {
  const instants = [
    [words.zone.opens, opensAt],
    [words.zone.closes, closesAt],
    [words.zone.expires, expiresAt],
  ] as const
  if ([opensAt, closesAt, expiresAt, hours, reset].every((part) => part === undefined))
    return <p class="quiet">{words.zone.noSchedule}</p>
  return (
    <dl class="facts">
      {instants.map(
        ([label, at]) =>
          at !== undefined && (
            <Fragment key={label}>
              <dt>{label}</dt>
              <dd>
                <Time at={at} exact />
              </dd>
            </Fragment>
          ),
      )}
      {hours !== undefined && (
        <>
          <dt>{words.zone.hours}</dt>
          <dd>{`${hours.map(words.zone.hoursOf).join('; ')} (${timeZone})`}</dd>
        </>
      )}
      {reset !== undefined && (
        <>
          <dt>{words.zone.resetTo}</dt>
          <dd>{words.zone.resetEvery(reset.every)}</dd>
        </>
      )}
    </dl>
  )
}

/** Changes to the zone, with undo. */
const History = ({ id, changed }: { readonly id: string; readonly changed: () => void }) => {
  const history = useLoad(
    async (signal) => (await call('GET /api/admin/audit', { query: { target: id, limit: 20 }, signal })).body,
    [id],
  )
  return (
    <section class="card wide-card">
      <h2>{words.zone.history}</h2>
      <Loading of={history}>{({ entries }) => <AuditTable entries={entries} changed={changed} />}</Loading>
    </section>
  )
}

/** One zone: its rules, hours, members, snapshots and changes. */
export const ZonePage = ({ id }: { readonly id: string }) => {
  const loaded = useLoad((signal) => readZone(id, signal), [id])
  const { open, show, close: closeDialog } = useDialog<Dialog, Versioned>(loaded)
  const [turn, setTurn] = useState(0)
  const zone = loaded.value?.zone
  const OpenDialog = open && dialogs[open.dialog]
  const mayWrite = mayDo('admin.instances.write')
  const reload = (): void => {
    loaded.reload()
    setTurn(turn + 1)
  }
  const close = (): void => {
    closeDialog()
    reload()
  }
  const change = (dialog: Dialog) =>
    mayWrite && (
      <button type="button" onClick={show(dialog)}>
        {words.zone.change[dialog]}
      </button>
    )
  return (
    <>
      <p>
        <a href={linkTo(['map'], { ...(zone && { world: zone.world, zone: zone.id }) })}>← {words.pages.map}</a>
      </p>
      <PageHead title={zone?.name ?? words.zone.title}>
        {zone !== undefined && (
          <a class="button" href={linkTo(['map', zone.id, 'blocks'])}>
            {words.editor.open}
          </a>
        )}
        {zone !== undefined && mayWrite && (
          <>
            <button type="button" onClick={show('enabled')}>
              {zone.enabled ? words.zone.switchOff : words.zone.switchOn}
            </button>
            <button type="button" class="bad" onClick={show('remove')}>
              {words.zone.delete}
            </button>
          </>
        )}
      </PageHead>
      {zone !== undefined && !mayWrite && <p class="quiet">{words.needsPermission('admin.instances.write')}</p>}
      <Loading of={loaded}>
        {(versioned) => (
          <div class="cards">
            <Facts zone={versioned.zone} change={mayDo('admin.users.read') && change('owner')} />
            <section class="card">
              <header class="card-head">
                <h2>{words.zone.rulesTitle}</h2>
                {change('rules')}
              </header>
              <Rules zone={versioned.zone} />
            </section>
            <section class="card">
              <header class="card-head">
                <h2>{words.zone.schedule}</h2>
                {change('schedule')}
              </header>
              <Schedule zone={versioned.zone} />
            </section>
            <ZoneMembers {...versioned} changed={reload} isReloading={loaded.isLoading} />
            <ZoneSnapshots zone={id} />
            {mayDo('admin.audit.read') && <History id={id} changed={reload} key={turn} />}
          </div>
        )}
      </Loading>
      {OpenDialog && <OpenDialog {...open.of} close={close} />}
    </>
  )
}
