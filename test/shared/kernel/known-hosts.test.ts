import { describe, expect, it } from '@jest/globals'
import { createAcceptsHost } from '../../../shared/kernel/known-hosts.ts'

const decide = (listensOn: string, hosts: readonly string[] = []) =>
  createAcceptsHost({ listensOn, urls: ['https://game.example.org/base', undefined], hosts: () => hosts })

describe('createAcceptsHost', () => {
  it.each([
    'localhost',
    'localhost:5173',
    '127.0.0.1:3000',
    '127.0.0.2',
    '[::1]:3000',
    'game.example.org',
    'GAME.example.org:8443',
    undefined,
  ])('accepts %s on loopback', (host) => expect(decide('127.0.0.1')(host)).toBe(true))

  it.each([
    'evil.example',
    'evil.example:3000',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    '10.0.0.1',
    'not a host',
    '',
  ])('refuses "%s" on loopback', (host) => expect(decide('::1')(host)).toBe(false))

  it('accepts listed names with any port', () => {
    expect([
      decide('127.0.0.1', ['lan.example'])('lan.example:3000'),
      decide('127.0.0.1', ['lan.example'])('x.lan.example'),
    ]).toEqual([true, false])
  })

  it('accepts every name off loopback, unless names are listed', () => {
    expect(decide('0.0.0.0')('evil.example')).toBe(true)
    const listed = decide('0.0.0.0', ['play.example.org'])
    expect(['evil.example', 'play.example.org', 'game.example.org', '127.0.0.1'].map(listed)).toEqual([false, true, true, true])
  })
})
