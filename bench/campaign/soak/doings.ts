import { ask } from '../../../test/e2e/support/api.ts'
import { createConfigApi } from '../../../test/e2e/support/config-api.ts'
import { openFeedClient } from '../../../test/support/feeds/feed-client.ts'
import type { Watch } from '../honest/watch.ts'
import type { House } from '../house/house.ts'
import type { Random } from '../random.ts'

/** An occasional action of a user in a soak; throws on a fault. */
export type Doing = { readonly name: string; readonly weight: number; run(scene: SoakScene): Promise<void> }

export type SoakScene = {
  readonly house: House
  readonly watch: Watch
  readonly random: Random
  readonly zoneId: string
  readonly nextNumber: () => number
}

const types = ['stone', 'planks', 'glass', 'air'] as const

const expectStatus = (status: number, wanted: number, what: string): void => {
  if (status !== wanted) throw new Error(`${what} answered ${status} instead of ${wanted}`)
}

const chat: Doing = {
  name: 'chat',
  weight: 20,
  run: async ({ watch, random, nextNumber }) => {
    const text = `line ${nextNumber()}`
    random.pick(watch.walkers).session()?.send({ $case: 'chat', value: { text } })
  },
}

const build: Doing = {
  name: 'build',
  weight: 20,
  run: async ({ watch, random }) => {
    const session = random.pick(watch.walkers).session()
    if (session === undefined) return
    const { x, y, z } = session.position()
    const at = { x: Math.floor(x) + random.int(-3, 3), y: Math.floor(y) + random.int(3, 5), z: Math.floor(z) + random.int(-3, 3) }
    await session.edit([{ ...at, type: random.pick(types) }])
  },
}

const command: Doing = {
  name: 'command',
  weight: 5,
  run: async ({ watch, random }) => {
    await random
      .pick(watch.walkers)
      .session()
      ?.command(random.pick(['/who', '/help', '/world', '/zones', '/nobodys']))
  },
}

const leaveAndReturn: Doing = {
  name: 'leave-and-return',
  weight: 4,
  run: async ({ watch, random }) => {
    const walker = random.pick(watch.walkers)
    if (!walker.isIn()) return
    await walker.leave()
    await walker.enter()
  },
}

const dropAndResume: Doing = {
  name: 'drop-and-resume',
  weight: 4,
  run: async ({ watch, random }) => {
    const walker = random.pick(watch.walkers)
    if (walker.isIn()) await walker.dropAndResume()
  },
}

const accounts: Doing = {
  name: 'accounts',
  weight: 2,
  run: async ({ house, nextNumber }) => {
    const token = await house.bossToken()
    const email = `soak-${nextNumber()}@example.com`
    const created = await ask(house.url(), 'POST /api/admin/users', { token, body: { email, password: 'a good password' } })
    expectStatus(created.status, 201, 'POST /api/admin/users')
    const changed = await ask(house.url(), `PUT /api/admin/users/${email}`, {
      token,
      body: { displayName: `Somebody ${nextNumber()}`, groups: ['builder'] },
    })
    expectStatus(changed.status, 200, 'PUT /api/admin/users/{email}')
    expectStatus(
      (await ask(house.url(), `DELETE /api/admin/users/${email}`, { token })).status,
      204,
      'DELETE /api/admin/users/{email}',
    )
  },
}

const zones: Doing = {
  name: 'zones',
  weight: 2,
  run: async ({ house, zoneId, nextNumber }) => {
    const body = { name: `Home ${nextNumber()}` }
    const { status } = await ask(house.url(), `PUT /api/admin/instances/${zoneId}`, { token: await house.bossToken(), body })
    expectStatus(status, 200, 'PUT /api/admin/instances/{id}')
  },
}

const configs: Doing = {
  name: 'configs',
  weight: 1,
  run: async ({ house, nextNumber }) => {
    const api = createConfigApi(house.url(), await house.bossToken())
    const { text } = await api.read('groups.yaml')
    const saved = await api.save('groups.yaml', `# ${nextNumber()}\n${text.replace(/^# \d+\n/, '')}`)
    expectStatus(saved.status, 200, 'PUT /api/admin/configs/groups.yaml')
    expectStatus((await api.reload()).status, 200, 'POST /api/admin/reload')
  },
}

const feeds: Doing = {
  name: 'feeds',
  weight: 3,
  run: async ({ house, zoneId, random }) => {
    const url = `${house.url().replace('http', 'ws')}/api/admin/ws/instances/${zoneId}`
    const feed = await openFeedClient(url, { token: await house.bossToken() })
    try {
      await feed.next('zone')
      feed.edit(1, [[random.int(0, 15), random.int(80, 120), random.int(0, 15), random.pick(types)]])
      const { ok } = await feed.result(1)
      if (ok !== true) throw new Error('an edit by the feed was refused')
    } finally {
      feed.terminate()
    }
  },
}

const listings: Doing = {
  name: 'listings',
  weight: 3,
  run: async ({ house, random }) => {
    const path = random.pick([
      '/api/admin/users',
      '/api/admin/audit?limit=200',
      '/api/admin/worlds',
      '/api/admin/instances',
      '/api/openapi.json',
      '/api/classes',
    ])
    expectStatus((await ask(house.url(), `GET ${path}`, { token: await house.bossToken() })).status, 200, `GET ${path}`)
  },
}

/** Every action of a soak; a new one is one value and one line here. */
export const doings: readonly Doing[] = [
  chat,
  build,
  command,
  leaveAndReturn,
  dropAndResume,
  accounts,
  zones,
  configs,
  feeds,
  listings,
]

export const pickDoing = (random: Random): Doing => {
  let at = random.next() * doings.reduce((sum, { weight }) => sum + weight, 0)
  const found = doings.find(({ weight }) => {
    at -= weight
    return at < 0
  })
  return found ?? chat
}
