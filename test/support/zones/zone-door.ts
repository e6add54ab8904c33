import { zoneRoutes } from '../../../functions/zones/routes.ts'
import type { NewZone } from '../../../shared/domain/zones/zone-service.ts'
import type { OpenDoor, OpenOptions } from '../../http/doors.ts'
import { generateColumns, squareOf, zoneEditor } from './zone-fixture.ts'

export const zonesPath = '/api/admin/instances'

/** The body to create a zone on the column 0,0. */
export const newZone = { name: 'Town', yMin: 10, yMax: 20, chunks: [{ cx: 0, cz: 0 }] }

/** A door to the routes of zones, with worlds `default` and `north` whose columns from -4 to 3 are generated. */
export const openZoneDoor = async (open: (options?: OpenOptions) => Promise<OpenDoor>, options: OpenOptions = {}) => {
  const door = await open({ routes: zoneRoutes, as: 'admin', ...options })
  for (const name of ['default', 'north']) {
    await door.worlds.createWorld({ name, seed: 1 })
    await generateColumns(door, squareOf(-4, -4, 8), name)
  }
  /** Adds an account with a name of the test. */
  const addAccount = async (name: string): Promise<string> => {
    const { playerId } = await door.deps.accounts.createAccount(zoneEditor, {
      email: `${name}@example.com`,
      password: 'a long password',
    })
    return playerId
  }
  const { email, playerId, displayName } = zoneEditor
  const editor = { email, playerId, displayName, groups: [], createdAt: new Date(door.clock.now()).toISOString() }
  await door.accountStore.change(email, () => ({ next: editor, result: undefined }))
  /** Adds an earlier zone of another user. */
  const addZone = async (parts: Partial<NewZone> = {}) => {
    const { zone, version } = await door.deps.zones.createZone(zoneEditor, { ...newZone, ...parts })
    // Entries of the same millisecond have no defined order.
    door.clock.advance(1)
    return { zone, path: `${zonesPath}/${zone.id}`, etag: `"${version}"` }
  }
  const listAudit = async () =>
    (await door.deps.audit.listEntries({ limit: 200 })).entries.filter(({ action }) => action.startsWith('zone.'))
  return { ...door, addAccount, addZone, listAudit }
}
