import { describe, expect, it } from '@jest/globals'
import { WebSocket } from 'ws'
import { createFakeServer, type FakeServer } from '../../../sdk/testing/fake-server.ts'
import { runBots } from '../../../tools/bots/run-bots.ts'
import { findFreePort } from '../../support/processes/free-port.ts'
import { waitFor } from '../../support/time/wait-for.ts'

const run = (args: readonly string[], server?: FakeServer) => {
  const output = { printed: '', complained: '' }
  const stop = new AbortController()
  const ended = runBots({
    args,
    env: {},
    WebSocket: server?.WebSocket ?? WebSocket,
    fetch: server?.fetch ?? fetch,
    print: (text) => {
      output.printed += text
    },
    complain: (text) => {
      output.complained += text
    },
    interrupted: stop.signal,
  })
  return { told: output, ended, interrupt: () => stop.abort() }
}

describe('npm run bots', () => {
  it('runs a crowd until it is interrupted, and disconnects all of them', async () => {
    const server = createFakeServer()
    const bots = run(['--url', server.url, '--count', '3', '--chat', '0.1', '--build', '0.1'], server)
    const has = (kind: string) => server.received.some(({ $case }) => $case === kind)
    await waitFor(() => bots.told.printed.includes('3 bots are in the game'))
    await waitFor(() => has('move') && has('chat') && has('editBlocks'))
    expect(server.players()).toHaveLength(3)
    const edits = server.received.flatMap((message) => (message.$case === 'editBlocks' ? message.value.edits : []))
    expect(edits.map(({ type }) => type)).not.toContain('unknown')
    bots.interrupt()
    expect(await bots.ended).toBe(0)
    expect(bots.told.printed).toMatch(/The bots left after \d+ moves and \d+ corrections\.\n$/)
    expect(bots.told.complained).toBe('')
    expect(server.players()).toEqual([])
  })

  it('waits for the time that a server with a sign-in limit reports, and prints it', async () => {
    const server = createFakeServer()
    let refusals = 2
    const limited: typeof fetch = async (url, init) => {
      if (!String(url).endsWith('/auth/login') || refusals === 0) return server.fetch(String(url), init)
      refusals -= 1
      const problem = { type: '/problems/too-many-requests', title: 'Too many requests', status: 429 }
      const headers = { 'content-type': 'application/problem+json', 'retry-after': '1' }
      return new Response(JSON.stringify(problem), { status: 429, headers })
    }
    const bots = run(['--url', server.url, '--count', '3'], { ...server, fetch: limited })
    await waitFor(() => bots.told.printed.includes('3 bots are in the game'))
    expect(bots.told.printed).toContain('of 3 bots have joined. The server limits sign-ins. The next bots follow in 1 s.')
    bots.interrupt()
    expect(await bots.ended).toBe(0)
  })

  it.each(['--help', '-h'])('prints its options for %s and ends with 0', async (flag) => {
    const bots = run([flag])
    expect(await bots.ended).toBe(0)
    expect(bots.told).toEqual({ printed: expect.stringContaining('--count'), complained: '' })
  })

  it.each([
    [['--count', 'many'], '--count must be a number above 0 and at most 10000.'],
    [['--moves', '21'], '--moves must be a number above 0 and at most 20.'],
    [['--what'], "Unknown option '--what'"],
  ])('prints the fault of %j and the usage', async (args, words) => {
    const bots = run(args)
    expect(await bots.ended).toBe(1)
    expect(bots.told.complained).toContain(words)
    expect(bots.told.complained).toContain('Usage: npm run bots')
  })

  it('reports that no server answers', async () => {
    const bots = run(['--url', `http://127.0.0.1:${await findFreePort()}`, '--count', '2'])
    expect(await bots.ended).toBe(2)
    expect(bots.told.complained).toContain('Nothing listens there. Start the server (npm start)')
  })
})
