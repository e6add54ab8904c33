import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { readUsersFile } from '../../../../shared/domain/accounts/store/users-file/users-file.ts'
import { UsersFileFault } from '../../../../shared/domain/accounts/store/users-file/users-file-fault.ts'
import { catalogue, configNames } from '../../../../shared/domain/configs/catalogue.ts'
import type { ConfigFile, ConfigName, ConfigValues } from '../../../../shared/domain/configs/declare/config-file.ts'
import { parseConfig } from '../../../../shared/domain/configs/reading/parse-config.ts'
import { nestedYaml } from '../../../support/configs/nested-yaml-arbitraries.ts'

/** Texts that ended the parser of the library, or a later reader, with a RangeError. */
const deep: readonly [string, string][] = [
  ['lists in keys, closed by one line', `${'? - '.repeat(1_500)}\nx\n`],
  ['lists in keys, closed by a further item', `${'? - '.repeat(5_000)}\n- x\n`],
  ['lists, closed by one line', `${'- '.repeat(9_000)}\nx\n`],
  ['keys further and further in', `${Array.from({ length: 1_400 }, (_, at) => `${' '.repeat(at)}a:\n`).join('')}x: y\n`],
  ['brackets', '['.repeat(9_000)],
  ['braces that are closed', '{a: '.repeat(5_000) + '}'.repeat(5_000)],
  ['mappings that are keys', '{'.repeat(3_000) + '}: 1'.repeat(3_000)],
]

const parseAs = <N extends ConfigName>(name: N, text: string) => {
  const file: ConfigFile<ConfigValues[N]> = catalogue[name]
  return parseConfig(file, text)
}

const isPlace = (fault: { readonly line?: number | undefined; readonly column?: number | undefined }) =>
  Number(fault.line) >= 1 && Number(fault.column) >= 1

describe('deeply nested YAML', () => {
  it.each(deep)('is a fault with its line and column in a config: %s', (_, text) => {
    for (const name of configNames) {
      const result = parseAs(name, text)
      expect(result).toMatchObject({ ok: false, faults: [{ message: 'is nested more than 64 deep' }] })
      expect(!result.ok && result.faults.every(isPlace)).toBe(true)
    }
  })

  it.each(deep)('is a fault with its line and column in users.yaml: %s', async (_, text) => {
    for (const inside of [text, `users:\n- ${text.replaceAll('\n', '\n  ')}`]) {
      const fault = await readUsersFile(inside).catch((error: unknown) => error)
      expect(fault).toBeInstanceOf(UsersFileFault)
      expect(fault).toMatchObject({
        summary: 'is nested more than 64 deep',
        line: expect.any(Number),
        column: expect.any(Number),
      })
    }
  })

  it('is a fault at the place where it becomes too deep', () => {
    expect(parseConfig(catalogue['groups.yaml'], `groups: []\nx: ${'['.repeat(63)}${']'.repeat(63)}`)).toMatchObject({
      faults: [{ pointer: '/x', message: 'is not a known key' }],
    })
    expect(parseConfig(catalogue['groups.yaml'], `groups: []\nx: ${'['.repeat(64)}${']'.repeat(64)}`)).toEqual({
      ok: false,
      faults: [{ line: 2, column: 4 + 63, message: 'is nested more than 64 deep' }],
    })
  })

  it('is a value or faults with line and column, in any form', () => {
    fc.assert(
      fc.property(nestedYaml, fc.constantFrom(...configNames), (text, name) => {
        const result = parseAs(name, text)
        if (result.ok) return
        expect(result.faults.length).toBeGreaterThan(0)
        expect(result.faults.filter((fault) => !isPlace(fault) && !/^and \d+ more faults$/.test(fault.message))).toEqual([])
      }),
      { numRuns: 150 },
    )
  })

  it('is accounts or a fault with line and column in users.yaml, in any form', async () => {
    await fc.assert(
      fc.asyncProperty(nestedYaml, async (text) => {
        const fault = await readUsersFile(text).catch((error: unknown) => error)
        if (!(fault instanceof Error)) return
        expect(fault).toBeInstanceOf(UsersFileFault)
        expect(fault).toMatchObject({ line: expect.any(Number), column: expect.any(Number) })
      }),
      { numRuns: 150 },
    )
  })
})
