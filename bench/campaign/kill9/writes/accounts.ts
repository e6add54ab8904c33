import { ask } from '../../../../test/e2e/support/api.ts'
import { compareKeys, keysOf, readPages, type Scene, type WriteKind } from '../written.ts'

const kind = 'account'
const groups = ['player', 'builder', 'moderator'] as const

const viewOf = ({ playerId, displayName, groups: held }: Record<string, unknown>) => ({ playerId, displayName, groups: held })

/** The request, before the server has assigned an id. */
const create = async (scene: Scene): Promise<string | undefined> => {
  const email = `kill9-${scene.nextNumber()}@example.com`
  const asked = {
    email,
    password: 'a good password',
    displayName: `Made ${email.slice(6, 12)}`,
    groups: [scene.random.pick(groups)],
  }
  const key = `${kind} ${email}`
  scene.ledger.ask(key, 'made, id unknown')
  const answer = await scene.write('POST /api/admin/users', { body: asked })
  if (answer?.status !== 201) return undefined
  scene.ledger.acknowledge(key, viewOf(answer.body))
  return email
}

const change = async (scene: Scene, email: string, known: Map<string, unknown>): Promise<void> => {
  const key = `${kind} ${email}`
  const body = { displayName: `Changed ${scene.nextNumber()}`, groups: [scene.random.pick(groups)] }
  const current = known.get(email)
  scene.ledger.ask(key, { ...(typeof current === 'object' ? current : {}), ...body })
  const answer = await scene.write(`PUT /api/admin/users/${email}`, { body })
  if (answer?.status === 200) {
    known.set(email, viewOf(answer.body))
    scene.ledger.acknowledge(key, viewOf(answer.body))
  }
}

const remove = async (scene: Scene, email: string): Promise<void> => {
  const key = `${kind} ${email}`
  scene.ledger.ask(key, null)
  const answer = await scene.write(`DELETE /api/admin/users/${email}`, {})
  if (answer?.status === 204) scene.ledger.acknowledge(key, null)
}

/** Accounts: creation, changes and deletion. */
export const accounts: WriteKind = {
  name: kind,
  stream: async (scene) => {
    const mine: string[] = []
    const known = new Map<string, unknown>()
    while (scene.isOn()) {
      const email = mine.length > 2 ? scene.random.pick(mine) : undefined
      if (email === undefined || scene.random.chance(0.5)) {
        const made = await create(scene)
        if (made === undefined) continue
        mine.push(made)
      } else if (scene.random.chance(0.8)) {
        if (!known.has(email)) {
          const { body } = await ask(scene.house.url(), `GET /api/admin/users/${email}`, { token: scene.token }).catch(() => ({
            body: {},
          }))
          if (!('playerId' in body)) continue
          known.set(email, viewOf(body))
        }
        await change(scene, email, known)
      } else {
        mine.splice(mine.indexOf(email), 1)
        await remove(scene, email)
      }
    }
  },
  compare: async (scene, all) => {
    const listed = all ? await readPages(scene, '/api/admin/users', 'users') : []
    const known = new Map(listed.map((account) => [account.email, account]))
    const find = async (email: string): Promise<Record<string, unknown> | undefined> => {
      if (all) return known.get(email)
      const { status, body } = await ask(scene.house.url(), `GET /api/admin/users/${email}`, { token: scene.token })
      return status === 404 ? undefined : { status, ...body }
    }
    return compareKeys(scene, keysOf(scene, kind, all), async (key) => {
      const account = await find(key.slice(kind.length + 1))
      if (account === undefined) return null
      // An unacknowledged account has an unknown id, and must be complete.
      const isWhole = typeof account.playerId === 'string' && account.hasPassword === true
      if (isWhole && scene.ledger.mayBe(key, 'made, id unknown')) scene.ledger.ask(key, viewOf(account))
      return isWhole ? viewOf(account) : account
    })
  },
}
