import { PassThrough } from 'node:stream'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { runTerminal } from '../../../../sdk/examples/terminal/terminal.ts'
import { waitFor } from '../../../support/time/wait-for.ts'
import { createStoredZones, createZone } from '../../../support/zones/stored-zones.ts'
import { startPlayServer } from '../../support/play-server.ts'

let server: Awaited<ReturnType<typeof startPlayServer>>
const start = async (...asked: Parameters<typeof startPlayServer>) => {
  server = await startPlayServer(...asked)
}
beforeEach(() => start())
afterEach(() => server.close())

/** The terminal client with `input` as its lines. With `isTTY` it can prompt for a password. */
const startClient = (args: readonly string[], env: Record<string, string> = {}, { isTTY = false } = {}) => {
  const input = Object.assign(new PassThrough(), { isTTY })
  const output = new PassThrough()
  const interrupted = new AbortController()
  let shown = ''
  let complaint = ''
  output.on('data', (chunk) => {
    shown += String(chunk)
  })
  const exit = runTerminal({
    args: ['--url', server.url, ...args],
    env,
    input,
    output,
    complain: (text) => {
      complaint += text
    },
    interrupted: interrupted.signal,
  })
  return { input, exit, shown: () => shown, complaint: () => complaint, interrupt: () => interrupted.abort() }
}

describe('the terminal client without a terminal', () => {
  it('answers each line in turn, leaves at the end of its input and exits with 0', async () => {
    await server.addAccount('ann')
    const client = startClient(['--email', 'ann@example.com'])
    client.input.end('/who\n\n  hello there  \n/kick bob\n/near\n/walk east 1\n/walk up\n/nope\n')
    expect(await client.exit).toBe(0)
    const lines = client.shown().split('\n')
    expect(lines[0]).toMatch(/^\* Welcome to default, ann\./)
    expect(lines).toEqual(
      expect.arrayContaining([
        '1 player in the game: ann',
        '<ann> hello there',
        '! You do not have access to /kick.',
        'No players nearby.',
        expect.stringMatching(/^\* You are at /),
        expect.stringMatching(/^! Usage: \/walk <north/),
        expect.stringMatching(/^! There is no command \/nope/),
      ]),
    )
    expect(lines.slice(-2)).toEqual(['* You left.', ''])
    expect(client.complaint()).toBe('')
  })

  it('reports players who come near', async () => {
    await server.addAccount('ann')
    await server.addAccount('bob')
    const ann = startClient(['--email', 'ann@example.com'])
    await waitFor(() => ann.shown().includes('Welcome'))
    const bob = startClient(['--email', 'bob@example.com'])
    await waitFor(() => /\* Near: bob \(/.test(ann.shown()))
    bob.input.end()
    await waitFor(() => ann.shown().includes('* No players nearby.'))
    ann.input.end('/quit\n/who\n')
    expect([await ann.exit, await bob.exit]).toEqual([0, 0])
    expect(ann.shown()).not.toContain('in the game')
  })

  it('reports the zone around the player, its protection, and its deletion', async () => {
    await server.addAccount('ann')
    const zone = await createStoredZones(server.store).put(createZone({ name: 'Town' }))
    await server.zoneWatch.check()
    const ann = startClient(['--email', 'ann@example.com'])
    await waitFor(() => ann.shown().includes('* You are in zone "Town".'))
    ann.input.write('/place 3 66 0 stone\n')
    await waitFor(() => ann.shown().includes('in zone "Town"'))
    await createStoredZones(server.store).put({ ...zone, enabled: false })
    await server.zoneWatch.check()
    await waitFor(() => ann.shown().includes('* You are not in a zone.'))
    ann.input.end('/place 3 66 0 stone\n')
    expect(await ann.exit).toBe(0)
    expect(ann.shown()).toContain('* Placed stone at 3 66 0.')
  })

  it('leaves cleanly when interrupted', async () => {
    await server.addAccount('ann')
    const client = startClient(['--email', 'ann@example.com'])
    await waitFor(() => client.shown().includes('Welcome'))
    client.interrupt()
    expect(await client.exit).toBe(0)
    expect(client.shown()).toContain('* You left.')
  })

  it('exits with 2 for bad usage, and with 1 for an unreachable server', async () => {
    const usage = startClient(['--email'])
    expect([await usage.exit, usage.complaint()]).toEqual([2, expect.stringContaining('Usage: npm run play')])
    for (const [args, fault] of [
      [['--email', 'ann'], /^Add your email: --email/],
      [['--email', 'a@example.com', '--url', 'ftp://example.com'], /^--url must begin with http/],
      [['--email', 'a@example.com', '--password', 'hunter2'], /^--password only accepts "-"/],
    ] as const) {
      const client = startClient(args)
      expect([await client.exit, client.complaint()]).toEqual([2, expect.stringMatching(fault)])
      expect(client.complaint()).not.toContain('hunter2')
    }
    const help = startClient(['--help'])
    expect([await help.exit, help.shown(), help.complaint()]).toEqual([0, expect.stringContaining('/walk <north'), ''])
    const nameless = startClient([])
    expect([await nameless.exit, nameless.complaint()]).toEqual([2, expect.stringMatching(/^Add your email: --email/)])
    const nobody = startClient(['--email', 'a@example.com', '--url', 'http://127.0.0.1:9'])
    expect([await nobody.exit, nobody.complaint()]).toEqual([1, expect.stringMatching(/^No server answers/)])
  })
})

describe('a password for the terminal client', () => {
  beforeEach(async () => {
    await server.close()
    await start('correct horse')
    await server.addAccount('ann')
  })

  it('is taken from the environment, or from the first line of standard input', async () => {
    const byEnvironment = startClient(['--email', 'ann@example.com'], { GATEHOUSE_PASSWORD: 'correct horse' })
    byEnvironment.input.end('/who\n')
    const byInput = startClient(['--email', 'ann@example.com', '--password', '-'])
    expect(await byEnvironment.exit).toBe(0)
    byInput.input.end('correct horse\n/who\n')
    expect(await byInput.exit).toBe(0)
    for (const client of [byEnvironment, byInput]) {
      expect(client.shown()).toContain('in the game: ann')
      expect(client.shown()).not.toContain('correct horse')
    }
  })

  it('is requested by name when it is missing, and its refusal is shown', async () => {
    const missing = startClient(['--email', 'ann@example.com'])
    expect([await missing.exit, missing.complaint()]).toEqual([1, expect.stringContaining('GATEHOUSE_PASSWORD')])
    const wrong = startClient(['--email', 'ann@example.com'], { GATEHOUSE_PASSWORD: 'battery staple' })
    expect([await wrong.exit, wrong.complaint()]).toEqual([1, expect.stringContaining('Invalid credentials. Email and password')])
    expect(wrong.complaint()).not.toContain('battery')
  })

  it('that is wrong is reported even if the server requires none, and opens no session', async () => {
    await server.close()
    await start('correct horse', false)
    await server.addAccount('ann')
    const wrong = startClient(['--email', 'ann@example.com'], { GATEHOUSE_PASSWORD: 'battery staple' })
    expect([await wrong.exit, wrong.complaint()]).toEqual([1, expect.stringMatching(/^Wrong password\..*leave out/)])
    expect([wrong.shown(), server.signedOut.length]).toEqual(['', 1])
    const without = startClient(['--email', 'ann@example.com'])
    without.input.end('/who\n')
    expect(await without.exit).toBe(0)
  })

  it('is requested on a terminal, and is not shown', async () => {
    const client = startClient(['--email', 'ann@example.com', '--password', '-'], {}, { isTTY: true })
    await waitFor(() => client.shown().includes('Password: '))
    client.input.write('correct horse\n')
    await waitFor(() => client.shown().includes('Welcome'))
    expect(client.shown()).not.toContain('correct')
    client.input.end('/quit\n')
    expect(await client.exit).toBe(0)
  })

  it('allows /kick, and the kicked client exits with 1 and the reason', async () => {
    await server.addAccount('mod', ['moderator'])
    const env = { GATEHOUSE_PASSWORD: 'correct horse' }
    const ann = startClient(['--email', 'ann@example.com'], env)
    await waitFor(() => ann.shown().includes('Welcome'))
    const mod = startClient(['--email', 'mod@example.com'], env)
    mod.input.end('/kick ann enough\n')
    expect([await mod.exit, await ann.exit]).toEqual([0, 1])
    expect(ann.complaint()).toMatch(/^You were kicked.*\(enough\)\n$/)
  })
})
