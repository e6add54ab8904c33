import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { describe, expect, it } from '@jest/globals'

const root = resolve(import.meta.dirname, '../..')
const read = async (name: string) => JSON.parse(await readFile(resolve(root, name), 'utf8'))

type Version = readonly [number, number, number]
const versionOf = (text: string): Version => {
  const [major = 0, minor = 0, patch = 0] = text.split('.').map((part) => (/^\d+$/.test(part) ? Number(part) : 0))
  return [major, minor, patch]
}
const isFrom = (version: Version, least: Version): boolean => {
  const at = version.findIndex((part, index) => part !== least[index])
  return at === -1 || (version[at] ?? 0) > (least[at] ?? 0)
}

/** The forms in the lock file: `>=1.2`, `^1.2.3` and `1.x`, for a major version other than 0. */
const holds = (version: Version, comparator: string): boolean => {
  const [, operator, text = ''] = /^(>=|\^|)(\d[\dx.*]*|\*)$/.exec(comparator) ?? []
  if (operator === undefined) throw new Error(`"${comparator}" is a form that this test does not read`)
  const least = versionOf(text)
  return text === '*' || (isFrom(version, least) && (operator === '>=' || version[0] === least[0]))
}
const satisfies = (version: Version, range: string): boolean =>
  range.split('||').some((all) =>
    all
      .replaceAll(/>=\s+/g, '>=')
      .trim()
      .split(/\s+/)
      .every((comparator) => holds(version, comparator)),
  )

describe('the packages that npm ci installs', () => {
  it.each(['20.19.0', '20.20.2'])('need no newer Node than %s, so that npm does not warn', async (node) => {
    const { packages } = await read('package-lock.json')
    const asking = Object.entries<{ engines?: { node?: string } }>(packages)
      .filter(([, { engines }]) => engines?.node !== undefined && !satisfies(versionOf(node), engines.node))
      .map(([path, { engines }]) => `${path} ${engines?.node}`)
    expect(asking).toEqual([])
  })

  it('need no older Node than package.json names', async () => {
    const { engines } = await read('package.json')
    expect([satisfies([20, 19, 0], engines.node), satisfies([20, 18, 3], engines.node)]).toEqual([true, false])
  })
})
