import { route } from '../http/route.ts'

/** Leads whoever opens the bare address to the game, and where it was not built to something that they can read. */
export const home = route({
  method: 'get',
  path: '/',
  permission: 'none',
  summary: 'Leads to the game.',
  ignoresQuery: true,
  responses: { 302: 'To `/play`, or to `/api/docs` where the game was not built.' },
  handle: async ({ pages }) => ({
    status: 302,
    headers: { Location: (await pages.findPage('play')) === undefined ? 'api/docs' : 'play' },
  }),
})
