import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { lastingCollections, otherCollections, revisionCollections } from '../../../tools/migrate/parts/lasting-collections.ts'

const root = resolve(import.meta.dirname, '../../..')

const sources = ['functions', 'realtime', 'shared', 'infra', 'tools'].flatMap((folder) =>
  readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8')),
)

/** Every collection that some code declares, by `createCollection` or as a value of the type `Collection`. */
const declared = sources.flatMap((source) => [
  ...[...source.matchAll(/createCollection\(\s*'([^']+)'/g)].map((match) => match[1]),
  ...[...source.matchAll(/: Collection<[^=]*> = \{\s*name: '([^']+)'/g)].map((match) => match[1]),
])

describe('the collections of the Store', () => {
  it('are each moved, or stay behind for a reason', () => {
    const decided = [...lastingCollections.map(({ name }) => name), ...revisionCollections, ...Object.keys(otherCollections)]
    expect([...new Set(declared)].sort()).toEqual([...decided].sort())
    expect(new Set(decided).size).toBe(decided.length)
  })
})
