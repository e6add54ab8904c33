import { afterEach, beforeEach, expect, it } from '@jest/globals'
import { openBarePage } from '../../support/pages/bare-page.ts'
import { waitFor } from '../../support/time/wait-for.ts'

const { fetch } = globalThis
let page: ReturnType<typeof openBarePage>
let asked: string[]

beforeEach(() => {
  page = openBarePage()
  asked = []
  globalThis.fetch = async (url) => {
    asked.push(String(url))
    return new Response(null, { status: 200 })
  }
  Object.assign(globalThis, { createImageBitmap: async () => ({ close: () => undefined }) })
})
afterEach(() => {
  page.close()
  globalThis.fetch = fetch
})

it('fetches each tile of a view once, however many a wide screen shows', async () => {
  const { createTiles } = await import('../../../console/map/scene/tiles.ts')
  const places = Array.from({ length: 520 }, (_, tx) => ({ zoom: 5, tx, tz: 0 }))
  let isDue = true
  const tiles = createTiles('default', undefined, () => {
    isDue = true
  })
  const draw = (): number => {
    isDue = false
    tiles.begin()
    return places.filter((place) => tiles.get(place) !== undefined).length
  }
  await waitFor(() => isDue && draw() === places.length)
  for (let round = 0; round < 3; round += 1) {
    draw()
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(asked.length).toBe(places.length)
  tiles.close()
})
