import { route } from '../http/route.ts'

/** Leads whoever opens the bare address to something that they can read. */
export const home = route({
  method: 'get',
  path: '/',
  permission: 'none',
  summary: 'Leads to the page to read.',
  responses: { 302: 'To `/api/docs`.' },
  handle: () => ({ status: 302, headers: { Location: 'api/docs' } }),
})
