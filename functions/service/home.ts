import { route } from '../http/route.ts'

/** Redirects from the root to the game, or to the API page if the game is not built. */
export const home = route({
  method: 'get',
  path: '/',
  permission: 'none',
  operationId: 'openHomePage',
  summary: 'Redirects to the game.',
  ignoresQuery: true,
  responses: { 302: 'To `/play`, or to `/api/docs` if the game is not built.' },
  handle: async ({ pages }) => ({
    status: 302,
    headers: { Location: (await pages.findPage('play')) === undefined ? 'api/docs' : 'play' },
  }),
})
