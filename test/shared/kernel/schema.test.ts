import { describe, expect, it } from '@jest/globals'
import { Type } from '@sinclair/typebox'
import { AppError } from '../../../shared/kernel/errors.ts'
import { createParser, createStrictParser } from '../../../shared/kernel/schema.ts'

const Person = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 5 }),
    age: Type.Optional(Type.Integer({ minimum: 0 })),
    kind: Type.Optional(Type.Union([Type.Literal('a'), Type.Literal('b')])),
    tags: Type.Optional(Type.Array(Type.String({ pattern: '^[a-z]+$', description: 'Lower-case letters.' }))),
  },
  { additionalProperties: false },
)

const faultsOf = (result: ReturnType<ReturnType<typeof createParser>>) => (result.ok ? [] : result.faults)

describe('createParser', () => {
  const parse = createParser(Person)

  it('returns a valid value', () => {
    expect(parse({ name: 'Ada', age: 36, tags: ['a'] })).toEqual({ ok: true, value: { name: 'Ada', age: 36, tags: ['a'] } })
  })

  it.each([
    ['a missing key', {}, '/name', 'is required'],
    ['an extra key', { name: 'A', more: 1 }, '/more', 'is not a known key'],
    ['an extra key with signs that a pointer escapes', { name: 'A', 'a/b~c': 1 }, '/a~1b~0c', 'is not a known key'],
    ['a wrong type', { name: 1 }, '/name', 'must be text'],
    ['a number as text', { name: 'A', age: '3' }, '/age', 'must be a whole number'],
    ['a fraction', { name: 'A', age: 1.5 }, '/age', 'must be a whole number'],
    ['not a number', { name: 'A', age: Number.NaN }, '/age', 'must be a whole number'],
    ['a short text', { name: '' }, '/name', 'must not be empty'],
    ['a long text', { name: 'abcdef' }, '/name', 'at most 5'],
    ['a number out of range', { name: 'A', age: -1 }, '/age', 'at least 0'],
    ['a bad item', { name: 'A', tags: ['a', 'B'] }, '/tags/1', 'does not have the right form: Lower-case letters.'],
    ['a text that is not one of the allowed words', { name: 'A', kind: 'c' }, '/kind', 'must be one of ["a","b"]'],
    ['null', null, '', 'must be an object'],
    ['a list', [], '', 'must be an object'],
    ['nothing', undefined, '', 'must be an object'],
  ])('refuses %s, pointing at it', (_, input, pointer, message) => {
    expect(faultsOf(parse(input))).toEqual([{ pointer, message: expect.stringContaining(message) }])
  })

  it('lists every fault, not just the first', () => {
    const pointers = faultsOf(parse({ age: -1, tags: ['A', 1], x: 1, y: 2 })).map(({ pointer }) => pointer)
    expect(pointers.sort()).toEqual(['/age', '/name', '/tags/0', '/tags/1', '/x', '/y'])
  })

  it.each([
    ['2026-11-23T12:00:00Z', true],
    ['2026-11-23t12:00:00.5z', true],
    ['2026-11-23 12:00:00+01:00', true],
    ['0000-01-01T00:00:00Z', true],
    ['9999-12-31T23:59:59.999Z', true],
    ['9999-12-31T23:59:59-12:00', false],
    ['0000-01-01T00:00:00+12:00', false],
    ['+010000-01-01T00:00:00Z', false],
    ['2016-12-31T23:59:60Z', false],
    ['2026-02-29T00:00:00Z', false],
    ['2028-02-29T00:00:00Z', true],
    ['2026-13-01T00:00:00Z', false],
    ['2026-11-23T24:00:00Z', false],
    ['2026-11-23T12:00:00', false],
    ['2026-11-23', false],
    ['tomorrow', false],
    ['', false],
  ])('accepts %j as a date-time: %j, so that accepted values can be stored and read back', (text, isTaken) => {
    const parseInstant = createParser(Type.String({ format: 'date-time' }))
    expect(parseInstant(text).ok).toBe(isTaken)
    if (isTaken) expect(parseInstant(new Date(text.toUpperCase()).toISOString()).ok).toBe(true)
  })

  it('counts characters, not code units', () => {
    expect(parse({ name: '🧱🧱🧱🧱🧱' }).ok).toBe(true)
  })

  it('lists the valid values', () => {
    const one = createParser(Type.Object({ kind: Type.Literal('a') }))
    expect(faultsOf(one({ kind: 'b' }))).toEqual([{ pointer: '/kind', message: 'must be "a"' }])
    const some = createParser(Type.Object({ kind: Type.Unsafe<'a' | 'b'>({ type: 'string', enum: ['a', 'b'] }) }))
    expect(faultsOf(some({ kind: 'c' }))).toEqual([{ pointer: '/kind', message: 'must be one of ["a","b"]' }])
  })

  it('treats keys with a meaning in JavaScript as plain keys', () => {
    const input: unknown = JSON.parse('{"name":"A","__proto__":{"age":1},"constructor":1}')
    expect(faultsOf(parse(input)).map(({ pointer }) => pointer)).toEqual(['/__proto__', '/constructor'])
  })
})

describe('createParser with coercion', () => {
  const parse = createParser(
    Type.Object({
      limit: Type.Optional(Type.Integer({ maximum: 200 })),
      dryRun: Type.Optional(Type.Boolean()),
      q: Type.Optional(Type.String()),
    }),
    'coerce',
  )

  it('reads numbers and booleans from text, and does not change its input', () => {
    const input = { limit: '20', dryRun: 'true', q: '7' }
    expect(parse(input)).toEqual({ ok: true, value: { limit: 20, dryRun: true, q: '7' } })
    expect(input).toEqual({ limit: '20', dryRun: 'true', q: '7' })
  })

  it.each([
    { limit: '' },
    { limit: 'x' },
    { limit: '1.5' },
    { limit: '201' },
    { limit: ['1'] },
    { dryRun: 'yes' },
    { dryRun: '' },
  ])('refuses %j', (input) => {
    expect(parse(input).ok).toBe(false)
  })
})

describe('createParser with defaults', () => {
  const parse = createParser(
    Type.Object(
      {
        inner: Type.Object({ size: Type.Integer({ default: 3 }) }, { default: {}, additionalProperties: false }),
        list: Type.Array(Type.String(), { default: ['x'] }),
      },
      { additionalProperties: false },
    ),
    'defaults',
  )

  it('returns every key, at every depth, and does not change its input', () => {
    const input = { inner: {} }
    expect(parse(input)).toEqual({ ok: true, value: { inner: { size: 3 }, list: ['x'] } })
    expect(parse({})).toEqual({ ok: true, value: { inner: { size: 3 }, list: ['x'] } })
    expect(input).toEqual({ inner: {} })
  })

  it('gives every value defaults of its own', () => {
    const [one, two] = [parse({}), parse({})]
    if (!one.ok || !two.ok) throw new Error('not valid')
    one.value.list.push('y')
    expect(two.value.list).toEqual(['x'])
    expect(parse({})).toEqual({ ok: true, value: { inner: { size: 3 }, list: ['x'] } })
  })

  it('does not accept text as a number, nor null as absent', () => {
    expect(parse({ inner: { size: '3' } }).ok).toBe(false)
    expect(parse({ inner: null }).ok).toBe(false)
  })
})

const catchError = (run: () => unknown): AppError => {
  try {
    run()
  } catch (error) {
    if (error instanceof AppError) return error
  }
  throw new Error('no AppError was thrown')
}

describe('createStrictParser', () => {
  it('throws one error with every fault', () => {
    const parse = createStrictParser(Person, 'body')
    expect(parse({ name: 'A' })).toEqual({ name: 'A' })
    expect(() => parse({ age: -1 })).toThrow(
      expect.objectContaining({
        kind: 'invalid',
        slug: 'bad-request',
        publicDetail: 'The body is not valid.',
        errors: [expect.objectContaining({ pointer: '/name' }), expect.objectContaining({ pointer: '/age' })],
      }),
    )
  })

  it('reports the beginning of a key that is too long', () => {
    const parse = createStrictParser(Type.Object({}, { additionalProperties: false }), 'body')
    expect(catchError(() => parse({ ['/'.repeat(100_000)]: 1 })).errors).toEqual([
      { pointer: `/${'~1'.repeat(200)}…`, message: 'is not a known key' },
    ])
  })

  it('reports the first twenty faults, and that there are more', () => {
    const parse = createStrictParser(Type.Object({}, { additionalProperties: false }), 'body')
    const body = (keys: number) => Object.fromEntries(Array.from({ length: keys }, (_, index) => [`key${index}`, 1]))
    expect(catchError(() => parse(body(20))).errors).toHaveLength(20)
    const { errors } = catchError(() => parse(body(250)))
    expect(errors).toHaveLength(21)
    expect(errors?.[19]).toEqual({ pointer: '/key19', message: 'is not a known key' })
    expect(errors?.at(-1)).toEqual({ message: 'and more; only the first faults are listed' })
  })
})
