import { describe, expect, it } from '@jest/globals'
import { classRoutes } from '../../../functions/classes/routes.ts'
import { classConfigs as configs } from '../../support/configs/class-configs.ts'
import { doors } from '../doors.ts'

const routes = classRoutes

describe.each(doors)('GET /api/admin/classes through %s', (_name, open) => {
  const path = '/api/admin/classes'

  it('lists each class as in the file', async () => {
    const { get } = await open({ routes, as: 'admin', configs })
    const answer = await get(path)
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      lancer: {
        resource: 'RAGE',
        bonuses: { str: 3, dex: 0, int: 0, wis: 0, con: 2, cha: 0 },
        hpFormula: '20 + 5 * level + con',
        rageFormula: '100',
        levels: {
          2: {
            attacks: [
              { attack: 'thrust', rank: 1 },
              { attack: 'charge', rank: 1 },
            ],
            spells: [],
          },
          10: {
            attacks: [
              { attack: 'thrust', rank: 2 },
              { attack: 'pierce', rank: 1 },
            ],
            spells: ['mend'],
          },
        },
      },
      monk: {
        resource: 'MANA',
        bonuses: { str: 0, dex: 0, int: 0, wis: 0, con: 0, cha: 0 },
        hpFormula: 'level',
        manaFormula: 'level',
        levels: {},
      },
    })
    expect(answer.headers['cache-control']).toBe('no-store')
  })

  it('is empty without classes', async () => {
    const { get } = await open({ routes, as: 'admin' })
    expect(await get(path)).toMatchObject({ status: 200, body: {} })
  })
})

describe.each(doors)('GET /api/admin/skills through %s', (_name, open) => {
  const path = '/api/admin/skills'

  it('lists the sorted ids of attacks and spells, including disabled ones', async () => {
    const { get } = await open({ routes, as: 'admin', configs })
    expect(await get(path)).toMatchObject({
      status: 200,
      body: { attacks: ['charge', 'old_trick', 'pierce', 'thrust'], spells: ['mend', 'old_charm', 'ward'] },
    })
  })

  it('describes each attack with its ranks and each spell, as in the files', async () => {
    const { get } = await open({ routes, as: 'admin', configs })
    expect((await get(path)).body).toMatchObject({
      attackDetails: configs.attacks.attacks,
      spellDetails: configs.spells.spells,
    })
  })

  it('follows the active configs', async () => {
    const { get, configs: inForce } = await open({ routes, as: 'admin', configs })
    const spark = { type: 'light', enabled: true, cost: 0, cooldownMs: 0, radius: 0, maxRange: 0 }
    inForce.set({ spells: { spells: { spark } } })
    expect((await get(path)).body).toEqual({ attacks: [], spells: ['spark'], attackDetails: {}, spellDetails: { spark } })
  })
})

describe.each(['/api/admin/classes', '/api/admin/skills'])('GET %s', (path) => {
  describe.each(doors)('through %s', (_name, open) => {
    it.each([
      ['nobody', 401, 'not-signed-in'],
      ['player', 403, 'missing-permission'],
      ['unverified-admin', 403, 'password-sign-in-needed'],
    ] as const)('refuses %s', async (as, status, slug) => {
      const { get } = await open({ routes, as, configs })
      const answer = await get(path)
      expect(answer).toMatchObject({ status, body: { type: `/problems/${slug}` } })
      if (as === 'player') expect(answer.body.detail).toContain('admin.classes.read')
    })

    it('answers 400 to a query, and 405 to methods other than GET and HEAD', async () => {
      const { get, post } = await open({ routes, as: 'admin' })
      expect(await get(`${path}?limit=1`)).toMatchObject({ status: 400, body: { type: '/problems/bad-request' } })
      const refused = await post(path, {})
      expect(refused.status).toBe(405)
      expect(refused.headers.allow).toContain('GET')
    })
  })
})
