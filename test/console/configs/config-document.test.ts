import { describe, expect, it } from '@jest/globals'
import { readValues, writeValue } from '../../../console/configs/config-document.ts'
import { findPath } from '../../../console/configs/editor/find-path.ts'

describe('a value from a form', () => {
  it('changes only itself, and every comment stays', () => {
    const text = '# head\nrealtime:\n  # why\n  tickRate: 20 # ticks\nhttp: {trustedProxies: 1}\n'
    expect(writeValue(text, ['realtime', 'tickRate'], 10)).toBe(text.replace('20', '10'))
    expect(writeValue(text, ['http', 'trustedProxies'], 2)).toBe(text.replace('1}', '2}'))
  })

  it('is written below the comments of an otherwise empty file', () => {
    expect(writeValue('# head\n#\n# auth:\n', ['auth', 'provider'], 'local')).toBe(
      '# head\n#\n# auth:\n\nauth:\n  provider: local\n',
    )
  })

  it('is added to an empty map, a list, and an empty file', () => {
    expect(writeValue('realtime:\n', ['realtime', 'tickRate'], 10)).toBe('realtime:\n  tickRate: 10\n')
    expect(writeValue('', ['groups', 0, 'name'], 'x')).toBe('groups:\n  - name: x\n')
    expect(writeValue('groups:\n- name: a\n', ['groups', 1], {})).toBe('groups:\n- name: a\n- {}\n')
  })

  it('is removed with its key, and the file stays readable', () => {
    expect(writeValue('a: 1\nb: 2\n', ['a'], undefined)).toBe('b: 2\n')
    expect(readValues(writeValue('a: 1\n', ['a'], undefined))).toEqual({ values: {} })
  })

  it('stays text in a text field, whatever it looks like', () => {
    for (const value of ['yes', '12', '<b>', ': x', '# no', 'a\nb'])
      expect(readValues(writeValue('motd: hello # here\n', ['motd'], value))).toEqual({ values: { motd: value } })
  })

  it('is not read from text that is not valid YAML', () => {
    expect(readValues('a: [1')).toBeUndefined()
    expect(readValues('a: *nowhere\n')).toBeUndefined()
  })
})

describe('the path of a line in block style', () => {
  const lines = [
    'groups:',
    '  - name: x',
    '    permissions:',
    '      - a',
    '',
    '  # c',
    '  - name: y',
    'auth:',
    '  local:',
    '    bcryptCost: 10',
  ]
  it.each([
    [0, 'x', []],
    [1, '  x', ['groups']],
    [2, '    x', ['groups', 0]],
    [4, '      - x', ['groups', 0, 'permissions', 0]],
    [6, '    x', ['groups', 0]],
    [8, '  x', ['auth']],
    [10, '    x', ['auth', 'local']],
    [10, '  x', ['auth']],
    [10, 'x', []],
  ])('below line %i, %j is in %j', (above, text, path) => {
    expect(findPath(lines.slice(0, above), text)).toEqual(path)
  })

  it('includes lists that are not indented', () => {
    expect(findPath(['groups:', '- name: x'], '  x')).toEqual(['groups', 0])
    expect(findPath(['groups:', '- name: x'], '- x')).toEqual(['groups', 0])
  })
})
