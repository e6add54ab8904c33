import { describe, expect, it } from '@jest/globals'
import { hasVisible, isShown } from '../../../shared/kernel/shown-text.ts'

const hex = (text: string): string => [...text].map((one) => (one.codePointAt(0) ?? 0).toString(16)).join(' ')

describe('isShown', () => {
  it.each([
    'Ann',
    'José',
    'می‌خواهم',
    'क्‍ष',
    'क्‌ष',
    'श्री',
    'ශ්‍රී',
    '👨‍👩‍👧‍👦',
    '❤️',
    '🏳️‍🌈',
    '🏴󠁧󠁢󠁥󠁮󠁧󠁿',
    '🇩🇪',
    '1️⃣ Ann',
    '👍🏽',
    '👩‍❤‍👩',
    'འབྲུག',
    'שָׁלוֹם',
  ])('accepts %s', (name) => {
    expect(isShown(name)).toBe(true)
  })

  it.each([
    ...['\u2800', '\ufffc', '\u{1d159}', '\u{13441}', '\u3164', '\u115f', '\uffa0', '\u034f', '\u180b', '\u{16fe4}'],
    ...['\u200d', '\u200c', '\u200b', '\u00ad', '\u2060', '\ufeff', '\u202e', '\u{e0041}', '\ufe0f', '\u{e0100}', '\u{1d173}'],
    ...['\ufff9', '\u17b4', '\u061c', '\ud800', '\u{e000}', '\u{1bca0}'],
  ])('refuses $# within a name', (unseen) => {
    expect([hex(unseen), isShown(`An${unseen}n`), isShown(unseen)]).toEqual([hex(unseen), false, false])
  })

  it.each([
    ['ZWJ between Latin letters', 'a\u200db'],
    ['ZWNJ after a letter without joining', '\u0627\u200c\u0628'],
    ['ZWNJ at the end', '\u0645\u06cc\u200c'],
    ['ZWJ without a virama', '\u0915\u200d\u0937'],
    ['ZWJ after a lone emoji', '👩\u200d'],
    ['a selector after a letter', 'a\ufe0f'],
    ['a selector after a digit', '1\ufe0f'],
    ['tags that no flag has', '🏴\u{e0061}\u{e007f}'],
    ['tags after another emoji', '😀\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}'],
    ['five marks on a letter', `a${'\u0301\u0302\u0303\u0304\u0305'}`],
  ])('refuses %s', (_what, name) => {
    expect(isShown(name)).toBe(false)
  })

  it('refuses every ignorable code point of Unicode, behind a letter', () => {
    const ignorable: number[] = []
    for (let code = 0; code < 0x110000; code += 1)
      if (/\p{Default_Ignorable_Code_Point}/u.test(String.fromCodePoint(code))) ignorable.push(code)
    expect(ignorable.length).toBeGreaterThan(400)
    expect(ignorable.filter((code) => isShown(`a${String.fromCodePoint(code)}b`))).toEqual([])
  })
})

it('treats blanks and marks as invisible', () => {
  expect(['\u2800', ' \u0301', '\ufffc\u{1d159}', '\u3164'].map(hasVisible)).toEqual([false, false, false, false])
  expect(hasVisible('\u2800a')).toBe(true)
})
