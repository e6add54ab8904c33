import { describe, expect, it } from '@jest/globals'
import { createConventionRoutes } from '../support/http/convention-routes.ts'
import { doors } from './doors.ts'

const list = (count: number, write: (index: number) => string): string =>
  Array.from({ length: count }, (_none, index) => write(index)).join('&')

describe.each(doors)('a query through %s', (_name, openDoor) => {
  const open = async () => {
    const { routes, calls } = createConventionRoutes()
    return { ...(await openDoor({ routes })), calls }
  }

  it.each([
    ['keys that a route does not know', '/open', list(40, (index) => `k${index}=1`)],
    ['keys, of a route that takes none', '/things/1', list(40, (index) => `k${index}=1`)],
    ['keys that are there twice', '/open', list(50, (index) => `k${index >> 1}=1`)],
  ])('of many faults is a 400 that names the first twenty: %s', async (_what, path, query) => {
    const { get, calls } = await open()
    const answer = await get(`${path}?${query}`)
    expect(answer).toMatchObject({ status: 400, body: { type: '/problems/bad-request', detail: 'The query is not valid.' } })
    expect(answer.body.errors).toHaveLength(21)
    expect(answer.body.errors[19].pointer).toBe('/k19')
    expect(answer.body.errors[20]).toEqual({ message: 'and more: these are the first faults' })
    expect(calls()).toBe(0)
  })

  it('of more than 50 keys is a 400 before any of them is looked at', async () => {
    const { get } = await open()
    const answer = await get(`/open?${list(51, (index) => `k${index}=1`)}`)
    expect(answer).toMatchObject({ status: 400, body: { detail: 'A query has up to 50 keys.' } })
    expect(answer.body.errors).toBeUndefined()
  })
})
