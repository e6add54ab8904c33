import { describe, expect, it } from '@jest/globals'
import { classRoutes } from '../../../functions/classes/routes.ts'
import { classConfigs as configs } from '../../support/configs/class-configs.ts'
import { doors } from '../doors.ts'

const routes = classRoutes
const path = '/api/classes'

describe.each(doors)('GET /api/classes through %s', (_name, open) => {
  it('lists for each level every attack of a class up to that level', async () => {
    const { get } = await open({ routes, configs })
    const answer = await get(path)
    expect(answer).toMatchObject({ status: 200 })
    expect(answer.body).toEqual({ lancer: { 2: ['thrust', 'charge'], 10: ['thrust', 'charge', 'pierce'] }, monk: {} })
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
  })

  it('ignores credentials', async () => {
    const { get } = await open({ routes, configs })
    expect((await get(path, { authorization: 'Bearer nonsense' })).status).toBe(200)
  })

  it('is cacheable for a minute, and the same answer for everyone', async () => {
    const { get } = await open({ routes, configs })
    const answer = await get(path)
    expect(answer.headers['cache-control']).toBe('public, max-age=60')
    expect(answer.headers.etag).toMatch(/^"[0-9a-f]{32}"$/)
    expect(answer.headers['set-cookie']).toBeUndefined()
    expect((await get(path)).headers.etag).toBe(answer.headers.etag)
  })

  it('answers 304 without a body to a matching tag, and keeps it fresh for another minute', async () => {
    const { get } = await open({ routes, configs })
    const { etag = '' } = (await get(path)).headers
    for (const noneMatch of [etag, `"other", ${etag}`, `W/${etag}`, '*']) {
      const answer = await get(path, { 'if-none-match': noneMatch })
      expect(answer).toMatchObject({ status: 304, headers: { etag, 'cache-control': 'public, max-age=60' } })
      expect(answer.body ?? '').toBe('')
    }
    expect((await get(path, { 'if-none-match': '"other"' })).status).toBe(200)
  })

  it('follows the active configs, with another tag', async () => {
    const { get, configs: inForce } = await open({ routes, configs })
    const { etag = '' } = (await get(path)).headers
    inForce.set({})
    const answer = await get(path, { 'if-none-match': etag })
    expect(answer).toMatchObject({ status: 200, body: {} })
    expect(answer.headers.etag).not.toBe(etag)
  })

  it('keeps its tag when only bonuses, formulas or spells change', async () => {
    const { get, configs: inForce } = await open({ routes, configs })
    const { etag = '' } = (await get(path)).headers
    const { lancer, monk } = configs.classes.classes
    inForce.set({
      ...configs,
      classes: { classes: { lancer: { ...lancer, hpFormula: '99', bonuses: { ...lancer.bonuses, str: 9 } }, monk } },
    })
    expect((await get(path, { 'if-none-match': etag })).status).toBe(304)
  })

  it('describes classes and the skills that they grant with details=true, under another tag', async () => {
    const { get, configs: inForce } = await open({ routes, configs })
    const answer = await get(`${path}?details=true`)
    const { old_trick: _, ...attackDetails } = configs.attacks.attacks
    expect(answer.body).toEqual({
      classes: configs.classes.classes,
      attackDetails,
      spellDetails: { mend: configs.spells.spells.mend },
    })
    expect(answer.headers['cache-control']).toBe('public, max-age=60')
    expect(answer.headers.etag).not.toBe((await get(path)).headers.etag)
    const thrust = { ...configs.attacks.attacks.thrust, damageType: 'blunt' }
    inForce.set({ ...configs, attacks: { attacks: { ...configs.attacks.attacks, thrust } } })
    expect((await get(`${path}?details=true`)).body.attackDetails.thrust.damageType).toBe('blunt')
    for (const wrong of ['false', '1', '']) expect((await get(`${path}?details=${wrong}`)).status).toBe(400)
  })

  it('answers 400 to another query, so that caches are not filled with copies', async () => {
    const { get } = await open({ routes, configs })
    const answer = await get(`${path}?x=1`)
    expect(answer).toMatchObject({ status: 400, body: { type: '/problems/bad-request' } })
    expect(answer.headers['cache-control']).toBe('no-store')
  })

  it('answers HEAD without a body, and 405 to other methods', async () => {
    const { request, post } = await open({ routes, configs })
    const head = await request('HEAD', path)
    expect(head).toMatchObject({ status: 200, headers: { 'cache-control': 'public, max-age=60' } })
    expect((await post(path, {})).status).toBe(405)
  })
})
