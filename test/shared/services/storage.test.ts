import { existsSync, readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { expect, it } from '@jest/globals'

const root = resolve(import.meta.dirname, '../../..')

/** The packages that `source` loads at once, directly and through other modules, without types and dynamic imports. */
const listLoaded = (source: string, seen = new Set<string>()): ReadonlySet<string> => {
  if (seen.has(source)) return seen
  seen.add(source)
  const imports = readFileSync(source, 'utf8').matchAll(
    /^(?:import|export) (?!type )(?:[^'"\n;]|\{[^}]*\})*?from '([^']+)'|^import '([^']+)'/gm,
  )
  for (const [, from, bare] of imports) {
    const target = from ?? bare ?? ''
    if (target.startsWith('.')) listLoaded(resolve(dirname(source), target), seen)
    else seen.add(target)
  }
  return seen
}
/** The module of file locks loads a native package. */
const native = ['lmdb', resolve(root, 'shared/platform/storage/files/file-lock.ts')]
const cloud = '@aws-sdk/client-dynamodb'

it('loads neither LMDB nor the AWS SDK before the storage is chosen', () => {
  const loaded = listLoaded(resolve(root, 'shared/services/services.ts'))
  expect([...loaded].filter((name) => existsSync(name)).length).toBeGreaterThan(100)
  for (const name of [...native, cloud]) expect([...loaded]).not.toContain(name)
})

it('loads no native modules for DynamoDB, and no AWS SDK for the data folder', () => {
  const forDynamo = [...listLoaded(resolve(root, 'shared/services/dynamodb.ts'))]
  expect(forDynamo).toContain(cloud)
  for (const name of native) expect(forDynamo).not.toContain(name)
  const embedded = [...listLoaded(resolve(root, 'shared/services/embedded.ts'))]
  for (const name of native) expect(embedded).toContain(name)
  expect(embedded).not.toContain(cloud)
})
