import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, it } from '@jest/globals'
import { parseEnvironment } from '../../../shared/platform/process/environment.ts'
import { openServices } from '../../../shared/services/services.ts'
import { silentLog } from '../../support/time/silent-log.ts'
import { waitFor } from '../../support/time/wait-for.ts'
import { zoneEditor } from '../../support/zones/zone-fixture.ts'
import { ask } from '../support/api.ts'
import { administrator, createStage } from '../support/stage.ts'

const stage = createStage()
afterAll(() => stage.close())

const zoneCount = 400
const columns = Array.from({ length: zoneCount }, (_, cx) => ({ cx, cz: 0, bytes: Uint8Array.of(cx % 256) }))

const open = (dataDir: string) => openServices(parseEnvironment({ DATA_DIR: dataDir, LOG_LEVEL: 'silent' }, 'task'), silentLog)

/** A world with columns, history and many zones, so that its move takes a while. */
const fillWorld = async (dataDir: string): Promise<void> => {
  const services = await open(dataDir)
  const north = await services.worlds.createWorld({ name: 'north', seed: 7 })
  await services.chunks.putMany(north, columns, 1, [{ key: 'history/1', bytes: Uint8Array.of(7) }])
  for (let cx = 0; cx < zoneCount; cx += 1)
    await services.zones.createZone(zoneEditor, { name: `Zone ${cx}`, yMin: 1, yMax: 9, chunks: [{ cx, cz: 0 }], world: 'north' })
  await services.close()
}

it.each(['PUT', 'DELETE'])(
  'keeps a world whole after kill -9 in the middle of a %s, and the same request finishes it',
  async (method) => {
    const dataDir = await stage.createDataDir()
    await fillWorld(dataDir)
    const server = await stage.start({ DATA_DIR: dataDir })
    const boss = await stage.claim(server)
    const body = method === 'PUT' ? { name: 'south' } : undefined
    const names = async (url: string, token: string) => {
      const { text } = await ask(url, 'GET /api/admin/worlds', { token })
      return (JSON.parse(text) as { name: string; chunkCount: number; warning?: string }[]).filter(
        ({ name }) => name !== 'default',
      )
    }
    const moving = ask(server.url, `${method} /api/admin/worlds/north`, { token: boss, body }).catch(() => undefined)
    await waitFor(async () => (await names(server.url, boss)).some(({ warning }) => warning !== undefined))
    server.signal('SIGKILL')
    expect(await server.ended).toBe('SIGKILL')
    expect(await moving).toBeUndefined()

    const again = await stage.start({ DATA_DIR: dataDir })
    const token = await stage.signIn(again.url, administrator.email, administrator.password)
    expect(await names(again.url, token)).toMatchObject([{ name: 'north', warning: expect.stringContaining('was interrupted') }])
    expect(await readdir(join(dataDir, 'worlds', 'north'))).toContain('data.mdb')
    const { status, body: answer } = await ask(again.url, `${method} /api/admin/worlds/north`, { token, body })
    expect(status).toBe(200)
    expect((await names(again.url, token)).map(({ name }) => name)).toEqual(method === 'PUT' ? ['south'] : [])
    again.signal('SIGTERM')
    await again.ended

    const services = await open(dataDir)
    const restored = await services.worldMoves?.returnWorld({ folder: join(dataDir, String(answer.trash)), name: 'south' })
    const south = restored ?? (await services.worlds.getWorld('south'))
    expect(await services.chunks.stats(south)).toMatchObject({ chunkCount: columns.length })
    expect((await services.chunks.getMany(south, columns)).map((bytes) => bytes?.[0])).toEqual(columns.map(({ cx }) => cx % 256))
    expect(await services.chunks.listSide(south, 'history/')).toHaveLength(1)
    const zones = (await services.zones.listZones()).map(({ zone }) => zone.world)
    expect(zones).toEqual(method === 'PUT' ? Array.from({ length: zoneCount }, () => 'south') : [])
    await services.close()
  },
)
