import { afterEach, describe, expect, it } from '@jest/globals'
import { configNames } from '../../../shared/domain/configs/catalogue.ts'
import type { CheckReloaded } from '../../../shared/domain/configs/current/check-reloaded.ts'
import { type Configs, loadConfigs } from '../../../shared/domain/configs/current/configs.ts'
import { AppError } from '../../../shared/kernel/errors.ts'
import { createMemoryEventBus } from '../../../shared/platform/events/memory-events.ts'
import { createMemoryStore } from '../../../shared/platform/storage/memory-store.ts'
import type { Store } from '../../../shared/platform/storage/store.ts'
import { createConfigTexts } from '../../support/configs/config-texts.ts'
import type { CallerName } from '../../support/http/http-fixture.ts'
import { createFixedClock } from '../../support/time/fixed-clock.ts'
import { createCapturedLog } from '../../support/time/silent-log.ts'
import { doors } from '../doors.ts'

const path = '/api/admin/reload'

const opened: Configs[] = []
afterEach(async () => {
  for (const configs of opened.splice(0)) await configs.close()
})

const loadTexts = async (store: Store = createMemoryStore()) => {
  const { log } = createCapturedLog()
  const files = createConfigTexts()
  const clock = createFixedClock()
  const configs = await loadConfigs({ files, store, events: createMemoryEventBus({ log }), log, clock, pollMs: 3_600_000 })
  opened.push(configs)
  return { files, configs }
}

describe.each(doors)('POST /api/admin/reload through %s', (_name, open) => {
  const openReload = async (as: CallerName, store?: Store) => {
    const { files, configs } = await loadTexts(store)
    return { files, ...(await open({ as, deps: { configs } })), configs }
  }
  const listAudited = async ({ deps }: Awaited<ReturnType<typeof openReload>>) =>
    (await deps.audit.listEntries({ limit: 10 })).entries.map(({ actor, action, target, via, after }) => ({
      actor,
      action,
      target,
      via,
      after,
    }))

  it('applies every valid file, and reports it', async () => {
    const { post, files, configs } = await openReload('admin')
    files.texts['groups.yaml'] = 'groups: [{name: painter, permissions: []}]'
    const { status, body } = await post(path)
    expect(status).toBe(200)
    expect(body.reloaded.toSorted()).toEqual(configNames)
    expect(body).toMatchObject({ changed: ['groups.yaml'], restartNeeded: [], failed: [] })
    expect(configs.get('groups.yaml').groups).toMatchObject([{ name: 'painter' }])
  })

  it('reports which changes need a restart, and each fault with its place', async () => {
    const { post, files, configs } = await openReload('admin')
    files.texts['server.yaml'] = 'realtime: {tickRate: 30, viewRadius: 4}'
    files.texts['worldgen.yaml'] = 'seaLevel: 70'
    files.texts['groups.yaml'] = 'groups:\n  - {name: a, permissions: [x], extra: 1}\n'
    const { status, body } = await post(path)
    expect({ status, body }).toMatchObject({
      status: 200,
      body: {
        reloaded: expect.arrayContaining(['server.yaml', 'blocks.yaml']),
        failed: [
          { name: 'groups.yaml', errors: [{ line: 2, column: 33, pointer: '/groups/0/extra', message: 'is not a known key' }] },
        ],
      },
    })
    expect(body.restartNeeded.toSorted()).toEqual(['server.yaml', 'worldgen.yaml'])
    expect(body.reloaded).not.toContain('groups.yaml')
    expect(body.reloaded).not.toContain('worldgen.yaml')
    expect(configs.get('server.yaml').realtime).toMatchObject({ tickRate: 20, viewRadius: 4 })
  })

  it('reports bad settings of modules, and whether the module keeps its settings', async () => {
    const bad = {
      module: 'coins',
      keepsSettings: true,
      errors: [{ pointer: '/modules/coins/settings/gift', message: 'must be text' }],
    }
    const warnings = ['There is no module "shopp", which modules.yaml disables. Did you mean "shop"?']
    const checkReloaded: CheckReloaded = async (report) => ({ ...report, modules: [bad], warnings })
    const { post } = await open({ as: 'admin', deps: { checkReloaded } })
    expect(await post(path)).toMatchObject({ status: 200, body: { reloaded: [], failed: [], modules: [bad], warnings } })
  })

  it('is in the audit log', async () => {
    const scene = await openReload('admin')
    scene.files.texts['groups.yaml'] = 'groups: ['
    await scene.post(path)
    expect(await listAudited(scene)).toEqual([
      {
        actor: 'admin@example.com',
        action: 'config.reload',
        target: 'all',
        via: 'http',
        after: { reloaded: expect.arrayContaining(['server.yaml']), restartNeeded: [], failed: ['groups.yaml'] },
      },
    ])
  })

  it('is audited each time, also without changes here, and the API description says so', async () => {
    const scene = await openReload('admin')
    await scene.post(path)
    await scene.post(path)
    expect((await listAudited(scene)).map(({ action }) => action)).toEqual(['config.reload', 'config.reload'])
    const { paths } = (await scene.get('/api/openapi.json')).body
    expect(paths[path].post.summary).toContain('Each reload is in the audit log')
  })

  it('answers 503 when it cannot notify other processes, and audits that', async () => {
    const put: Store['put'] = () => Promise.reject(new AppError('unavailable', 'service-unavailable', 'The store is away.'))
    const scene = await openReload('admin', { ...createMemoryStore(), put })
    expect(await scene.post(path)).toMatchObject({ status: 503, headers: { 'retry-after': expect.stringMatching(/^\d+$/) } })
    expect(await listAudited(scene)).toMatchObject([{ action: 'config.reload', after: { unannounced: true } }])
  })

  it.each([
    ['nobody', 401],
    ['player', 403],
    ['unverified-admin', 403],
  ] as const)('refuses %s with %d, and reloads nothing', async (as, status) => {
    const scene = await openReload(as)
    scene.files.texts['groups.yaml'] = 'groups: [{name: painter, permissions: []}]'
    const answer = await scene.post(path)
    expect(answer.status).toBe(status)
    if (status === 403) expect(answer.body.detail).toContain(as === 'player' ? 'admin.server.reload' : 'password')
    expect(scene.configs.get('groups.yaml').groups).toEqual([])
    expect(await listAudited(scene)).toEqual([])
  })

  it('answers 405 with Allow to other methods', async () => {
    const { get } = await openReload('admin')
    expect(await get(path)).toMatchObject({ status: 405, headers: { allow: expect.stringContaining('POST') } })
  })
})
