import { describe, expect, it } from '@jest/globals'
import { parsePlayArguments } from '../../../tools/play/play-arguments.ts'

describe('the command line of the terminal client', () => {
  it('needs no email before the server has said how it signs people in', () => {
    expect(parsePlayArguments([], {})).toEqual({
      ok: true,
      options: { url: 'http://127.0.0.1:3000', password: { from: 'nowhere' } },
    })
  })

  it('needs an email only for a server on this machine', () => {
    expect(parsePlayArguments(['--email', 'you@example.com'], {})).toEqual({
      ok: true,
      options: { email: 'you@example.com', url: 'http://127.0.0.1:3000', password: { from: 'nowhere' } },
    })
  })

  it('takes an address, a script and a password from standard input before that of the environment', () => {
    const args = ['--email', 'a@b.c', '--url', 'https://game.example.org/', '--script', 'lines.txt', '--password', '-']
    expect(parsePlayArguments(args, { GATEHOUSE_PASSWORD: 'from env' })).toEqual({
      ok: true,
      options: {
        email: 'a@b.c',
        url: 'https://game.example.org',
        password: { from: 'stdin' },
        script: 'lines.txt',
      },
    })
    expect(parsePlayArguments(['--email', 'a@b.c'], { GATEHOUSE_PASSWORD: 'from env' })).toMatchObject({
      options: { password: { from: 'environment', value: 'from env' } },
    })
  })

  it.each([
    [['--email'], /email/],
    [['--email', 'nobody'], /--email/],
    [['--email', 'a@b.c', '--url', 'ftp://x'], /--url/],
    [['--email', 'a@b.c', '--url', 'localhost:3000'], /--url/],
    [['--email', 'a@b.c', '--password', 'hunter22'], /takes only "-"/],
    [['--email', 'a@b.c', '--nope'], /nope/],
    [['--email', 'a@b.c', '--text'], /text/],
    [['--email', 'a@b.c', 'extra'], /extra/],
  ])('refuses %j with a reason that repeats no password', (args, reason) => {
    const parsed = parsePlayArguments(args, {})
    expect(parsed).toMatchObject({ ok: false, message: expect.stringMatching(reason) })
    expect(JSON.stringify(parsed)).not.toContain('hunter22')
  })
})
