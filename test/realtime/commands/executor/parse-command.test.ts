import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { parseCommandText, splitWords } from '../../../../realtime/commands/executor/parse-command.ts'
import { anyCharacter } from '../../../support/any-character.ts'

const commandCharactersMax = 512

/** Runs both parsers in the order of the executor: name and words, or the message of the fault. */
const parse = (text: string): string[] | string => {
  const found = parseCommandText(text)
  if (!found.ok) return found.message
  const split = splitWords(found.rest)
  return split.ok ? [found.name, ...split.words.map(({ value }) => value)] : split.message
}
const quote = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`

describe('the command parsers', () => {
  it.each([
    ['/who', ['who']],
    ['  /WhO  ', ['who']],
    ['/RBAC:SetGroup Anna@Example.org builder,Player', ['rbac:setgroup', 'Anna@Example.org', 'builder,Player']],
    ['/say  two   words ', ['say', 'two', 'words']],
    ['/kick "Anna B." "was \\"rude\\""', ['kick', 'Anna B.', 'was "rude"']],
    ['/say "a\\\\b" c\\d', ['say', 'a\\b', 'c\\d']],
    ['/say ""', ['say', '']],
    ['/say 5" pipe', ['say', '5"', 'pipe']],
    ["/say don't", ['say', "don't"]],
    ['/say Grüße 世界 👩‍🚀 "שלום עולם"', ['say', 'Grüße', '世界', '👩‍🚀', 'שלום עולם']],
  ])('parses %j', (text, expected) => {
    expect(parse(text)).toEqual(expected)
  })

  it.each([
    ['/say "open', /quote is not closed/],
    ['/say "open\\"', /quote is not closed/],
    ['/say "open\\', /quote is not closed/],
    ['/say "a"b', /closing quote needs a space/],
    ['say hello', /begins with a slash/],
    ['/', /begins with a slash/],
    ['/ say', /begins with a slash/],
    ['', /begins with a slash/],
    ['/say a\nb', /must not contain control characters/],
    ['/say a\tb', /must not contain control characters/],
    ['/say \u0000', /must not contain control characters/],
    ['/say \u009b31m', /must not contain control characters/],
    ['/say \ud83d', /must not contain control characters/],
    ['/say a\u2028b', /must not contain control characters/],
  ])('refuses %j with a reason', (text, reason) => {
    expect(parse(text)).toMatch(reason)
  })

  it('accepts exactly 512 characters, counted as graphemes, and refuses one more', () => {
    const room = commandCharactersMax - '/say '.length
    expect(parse(`/say ${'👍'.repeat(room)}`)).toEqual(['say', '👍'.repeat(room)])
    expect(parse(`/say ${'a'.repeat(room + 1)}`)).toMatch(/512 characters/)
    expect(parse('/'.repeat(5_000_000))).toMatch(/512 characters/)
  })

  it('returns every quoted argument unchanged', () => {
    const argument = fc.string({ unit: 'grapheme', maxLength: 20 }).filter((text) => !/[\p{Cc}\p{Cs}\u2028\u2029]/u.test(text))
    fc.assert(
      fc.property(fc.array(argument, { maxLength: 8 }), (values) => {
        expect(parse(`/say ${values.map(quote).join(' ')}`)).toEqual(['say', ...values])
      }),
      { seed: 2, numRuns: 500 },
    )
  })

  it('never throws, and returns a name or a message', () => {
    const nasty = fc.string({ unit: fc.constantFrom('/', '"', '\\', ' ', 'a', '\n', '\ud83d', '👍', '\u00a0', ',') })
    fc.assert(
      fc.property(
        fc.oneof(
          nasty,
          fc.string({ unit: anyCharacter }),
          nasty.map((text) => `/a ${text}`),
        ),
        (text) => {
          expect(parse(text).length).toBeGreaterThan(0)
        },
      ),
      { seed: 2, numRuns: 3000 },
    )
  })
})
