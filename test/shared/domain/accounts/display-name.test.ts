import { describe, expect, it } from '@jest/globals'
import { defaultDisplayName, parseDisplayName } from '../../../../shared/domain/accounts/display-name.ts'

describe('display names', () => {
  it.each([
    ['Ann', 'Ann'],
    ['  Ann Lee ', 'Ann Lee'],
    ['🦊', '🦊'],
    ['🦊'.repeat(32), '🦊'.repeat(32)],
    ['Jose\u0301', 'Jos\u00e9'],
  ])('reads %j as %j', (text, name) => {
    expect(parseDisplayName(text)).toBe(name)
  })

  it.each(['@home', 'a@b', '203.0.113.9', '203.0.113.0/24', '::1', '5f0e6a9c-3a4b-4f5e-9a61-2f4f3c1f7dff'])(
    'refuses %j, which commands would read as an address, id or target',
    (text) => {
      expect(() => parseDisplayName(text)).toThrow(expect.objectContaining({ kind: 'invalid' }))
    },
  )

  it.each(['', '   ', 'a'.repeat(33), 'a\nb', 'a\u0000b', 'a\u200bb', 'a\u202eb', 'a\u2028b', '\u3164', '\u0301', '\ud800'])(
    'refuses %j and points at it',
    (text) => {
      expect(() => parseDisplayName(text)).toThrow(
        expect.objectContaining({ kind: 'invalid', errors: [expect.objectContaining({ pointer: '/displayName' })] }),
      )
    },
  )

  it.each([
    ['ann@example.com', 'ann'],
    ['203.0.113.9@example.com', '203-0-113-9'],
    [`${'a'.repeat(40)}@example.com`, 'a'.repeat(32)],
    [`${'𝒶'.repeat(30)}bcd@example.com`, `${'𝒶'.repeat(30)}bc`],
  ])('derives from %j the name %j, without the domain', (email, name) => {
    expect(defaultDisplayName(email)).toBe(name)
    expect(parseDisplayName(name)).toBe(name)
  })
})
