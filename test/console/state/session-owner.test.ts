import { afterAll, beforeAll, expect, it } from '@jest/globals'
import type { SignIn } from '../../../sdk/client.ts'
import { openBarePage } from '../../support/pages/bare-page.ts'

let page: ReturnType<typeof openBarePage>
let state: typeof import('../../../console/state/session.ts')

const signInAs = (email: string) => {
  globalThis.fetch = async () =>
    new Response(JSON.stringify({ email, verified: true, permissions: [], unverified: [], needsNewPassword: false }), {
      headers: { 'content-type': 'application/json' },
    })
  const me = { playerId: email, token: () => 'x'.repeat(43), onRenewed: () => () => undefined, close: () => undefined }
  return state.enter(me as unknown as SignIn)
}

const draftKey = 'gatehouse.draft.groups.yaml'
const draft = JSON.stringify({ text: 'groups: []', base: '' })
const { fetch } = globalThis

beforeAll(async () => {
  page = openBarePage()
  page.kept.set('gatehouse.owner', 'ann@example.com')
  page.kept.set(draftKey, draft)
  state = await import('../../../console/state/session.ts')
})
afterAll(() => {
  page.close()
  globalThis.fetch = fetch
})

it('keeps unsaved text and open windows only for the same user after a new sign-in', async () => {
  await signInAs('ann@example.com')
  const { drafts } = await import('../../../console/configs/drafts.ts')
  expect(Object.keys(drafts.value)).toEqual(['groups.yaml'])
  const kinds: string[] = []
  state.session.subscribe(({ kind }) => kinds.push(kind))
  state.noteSignInOver()
  await signInAs('ann@example.com')
  expect([kinds.splice(0), Object.keys(drafts.value)]).toEqual([['in', 'over', 'in'], ['groups.yaml']])
  state.noteSignInOver()
  await signInAs('bob@example.com')
  // Everything that ends with a sign-out ends here: the game, drafts, maps.
  expect([kinds, drafts.value, page.kept.has(draftKey)]).toEqual([['over', 'out', 'in'], {}, false])
})

it('does not restore text that another user left in this tab before a reload', async () => {
  page.kept.set(draftKey, draft)
  await signInAs('ann@example.com')
  expect(page.kept.has(draftKey)).toBe(false)
})
