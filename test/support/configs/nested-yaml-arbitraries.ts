import fc from 'fast-check'

/** Nests a value `depth` times, each on one line. */
const inline = [
  ['? - ', ''],
  ['? ', ''],
  ['- ', ''],
  [': ', ''],
  ['- ? : ', ''],
  ['[', ']'],
  ['[', ''],
  ['{a: ', '}'],
  ['{a: ', ''],
  ['{? ', '}'],
  ['[{a: ', '}]'],
  ['[? ', ']'],
  ['{', '}: 1'],
  ['[', ']: 1'],
  ['- &a ', ''],
  ['- !t ', ''],
  ['? &a !t - ', ''],
  ['a: ', ''],
  ['"a": ', ''],
  ['["', '"]'],
] as const

const line = fc
  .record({
    way: fc.constantFrom(...inline),
    depth: fc.oneof(fc.integer({ min: 0, max: 100 }), fc.integer({ min: 100, max: 9_000 })),
  })
  .map(({ way: [open, close], depth }) => open.repeat(depth) + close.repeat(depth))

/** One level per line, each with more indentation, as a person nests by hand. */
const stairs = fc
  .record({
    step: fc.constantFrom('a:', '-', '- a:', '?', '? a:', '- |', '- >', '&a a:', '!t a:', '# c', 'a: # c', '- - a:'),
    width: fc.integer({ min: 1, max: 3 }),
    depth: fc.oneof(fc.integer({ min: 0, max: 100 }), fc.integer({ min: 100, max: 700 })),
    comment: fc.boolean(),
  })
  .map(({ step, width, depth, comment }) =>
    Array.from({ length: depth }, (_, at) => `${' '.repeat(at * width)}${step}\n${comment ? '# between\n' : ''}`).join(''),
  )

/** Each alias repeats the one before it, so that the value is deeper than the text. */
const aliases = fc
  .record({
    count: fc.integer({ min: 1, max: 200 }),
    way: fc.constantFrom(['[', ']'], ['{k: ', '}'], ['- ', ''], ['[[[[', ']]]]']),
  })
  .map(({ count, way: [open, close] }) =>
    Array.from({ length: count }, (_, at) => `a${at}: &a${at} ${at === 0 ? 'x' : `${open}*a${at - 1}${close}`}\n`).join(''),
  )

const end = fc.constantFrom(
  '',
  '\n',
  '\nx',
  '\n- x\n',
  '\nx: y\n',
  '\n\n\n',
  ' x\n',
  '\n---\n',
  '\n...\n',
  ' # c\n',
  '\r\n',
  '\r\nx: y\r\n',
  '\t',
)

/** Valid and invalid YAML, nested in many forms by a few levels or thousands. */
export const nestedYaml = fc
  .tuple(
    fc.constantFrom('', '', 'groups: ', 'groups:\n', 'groups:\n- ', 'users:\n- ', 'users: ', '--- ', '\uFEFF', 'a: |\n', '# c\n'),
    fc.array(fc.tuple(fc.oneof(line, line, stairs, aliases), end), { minLength: 1, maxLength: 3 }),
  )
  .map(([start, parts]) => start + parts.flat().join(''))
