import { runInNewContext } from 'node:vm'
import { describe, expect, it } from '@jest/globals'
import { authRoutes } from '../../../functions/auth/routes.ts'
import type { DoorAnswer } from '../../support/http/door.ts'
import { doors } from '../doors.ts'

type Submit = (event: { preventDefault(): void }) => Promise<void>

/** The parts of a browser that the script of the page uses. `post` receives its requests. */
const runPage = (page: string, hash: string, fields: Record<string, string>, post: (body: unknown) => Promise<DoorAnswer>) => {
  const listeners: Submit[] = []
  const form = { hidden: false, addEventListener: (_type: string, run: Submit) => void listeners.push(run) }
  const output = { textContent: '' }
  const next = { hidden: true }
  const command = { textContent: '' }
  const elements: Record<string, unknown> = { form, output, section: next, pre: command }
  const visited = [`/claim${hash}`]
  const sent: string[] = []
  const script = page.slice(page.indexOf('<script>') + '<script>'.length, page.indexOf('</script>'))
  runInNewContext(script, {
    document: { querySelector: (name: string) => elements[name] },
    location: { hash, pathname: '/claim', href: `https://play.example.org/game/claim${hash}` },
    history: { replaceState: (_state: null, _title: string, path: string) => void visited.push(path) },
    FormData: class {
      get(name: string) {
        return fields[name] ?? ''
      }
    },
    fetch: async (path: string, { body }: { body: string }) => {
      sent.push(path)
      const answer = await post(JSON.parse(body))
      return { ok: answer.status === 200, json: async () => answer.body }
    },
  })
  const submit = () => Promise.all(listeners.map((run) => run({ preventDefault: () => undefined })))
  return { form, output, next, command, visited, sent, submit }
}

describe.each(doors.slice(0, 1))('the claim page through %s', (_name, open) => {
  const fields = { email: 'ann@example.com', players: 'password', password: 'correct horse battery', displayName: '' }

  it('claims with the code in the fragment, confirms it and clears the fragment', async () => {
    const { get, post, deps, accountStore } = await open({ routes: authRoutes })
    await accountStore.change('admin@example.com', () => ({ next: undefined, result: undefined }))
    const claim = await deps.signIn.createClaim()
    const page = runPage((await get('/claim')).text, `#${claim}`, fields, (body) => post('/auth/claim', body))
    await page.submit()
    expect(page.output.textContent).toMatch(/^ann is now the administrator/)
    expect(page.form.hidden).toBe(true)
    expect(page.visited.at(-1)).toBe('/claim')
    expect(page.sent).toEqual(['auth/claim'])
    expect(await accountStore.listAdministrators()).toHaveLength(1)
  })

  it('shows a visitor without a claim where the link is, and no form', async () => {
    const { get, post } = await open({ routes: authRoutes })
    const page = runPage((await get('/claim')).text, '', fields, (body) => post('/auth/claim', body))
    expect(page.output.textContent).toContain('in the terminal where the server was started')
    expect([page.sent, page.form.hidden, page.next.hidden]).toEqual([[], true, true])
  })

  it.each([
    ['ann@example.com', 'ann@example.com'],
    ["o'hara@example.com", "'o'\\''hara@example.com'"],
  ])('shows the shell command for the next step of %s', async (email, word) => {
    const { get, post, deps, accountStore } = await open({ routes: authRoutes })
    await accountStore.change('admin@example.com', () => ({ next: undefined, result: undefined }))
    const claim = await deps.signIn.createClaim()
    const page = runPage((await get('/claim')).text, `#${claim}`, { ...fields, email }, (body) => post('/auth/claim', body))
    await page.submit()
    expect(page.command.textContent).toBe(`npm run play -- --email ${word} --password - --url https://play.example.org/game`)
    expect(page.next.hidden).toBe(false)
  })

  it('shows the fault and keeps the form open', async () => {
    const { get, post, deps, accountStore } = await open({ routes: authRoutes })
    await accountStore.change('admin@example.com', () => ({ next: undefined, result: undefined }))
    const claim = await deps.signIn.createClaim()
    const page = runPage((await get('/claim')).text, `#${claim}`, { ...fields, password: 'short' }, (body) =>
      post('/auth/claim', body),
    )
    await page.submit()
    expect(page.output.textContent).toMatch(/password must be at least 8 bytes/i)
    expect(page.form.hidden).toBe(false)
    expect(page.visited).toEqual([`/claim#${claim}`])
  })
})
