import { describe, expect, it } from '@jest/globals'
import { pickFromLock } from '../../../infra/containers/pick-from-lock.ts'

const lock = (packages: object) =>
  JSON.stringify({ name: 'game', version: '1.2.3', lockfileVersion: 3, requires: true, packages })
const pathsOf = (text: string, ...names: string[]) => Object.keys(pickFromLock(text, names).lock.packages)

describe('pickFromLock', () => {
  it('takes only the packages and their dependencies, each where Node resolves it', () => {
    const text = lock({
      '': { dependencies: { store: '1.0.0', web: '1.0.0' } },
      'node_modules/store': { version: '1.0.0', dependencies: { pack: '2', codec: '1' } },
      'node_modules/store/node_modules/pack': { version: '2.0.0', dependencies: { codec: '1' } },
      'node_modules/pack': { version: '1.0.0' },
      'node_modules/codec': { version: '1.0.0', dependencies: { store: '1' } },
      'node_modules/web': { version: '1.0.0' },
    })
    expect(pathsOf(text, 'store')).toEqual([
      ...['', 'node_modules/codec', 'node_modules/store', 'node_modules/store/node_modules/pack'],
    ])
  })

  it('keeps each entry unchanged: its hash, its address and its machines', () => {
    const entry = {
      version: '1.0.0',
      resolved: 'https://example.com/x.tgz',
      integrity: 'sha512-x',
      optional: true,
      os: ['linux'],
      libc: ['glibc'],
    }
    const text = lock({
      'node_modules/store': { version: '1.0.0', optionalDependencies: { '@store/linux': '1.0.0' } },
      'node_modules/@store/linux': entry,
    })
    const { lock: picked, manifest } = pickFromLock(text, ['store'])
    expect(picked.packages).toMatchObject({ 'node_modules/@store/linux': entry })
    expect(manifest).toMatchObject({ name: 'game', version: '1.2.3', dependencies: { store: '1.0.0' } })
    expect(picked.packages['']).toEqual({ name: 'game', version: '1.2.3', dependencies: { store: '1.0.0' } })
  })

  it('skips an optional package missing in the lock file, and throws for any other', () => {
    const text = lock({
      'node_modules/one': { version: '1.0.0', dependencies: { gone: '1' }, optionalDependencies: { gone: '1' } },
      'node_modules/two': {
        version: '1.0.0',
        peerDependencies: { gone: '1' },
        peerDependenciesMeta: { gone: { optional: true } },
      },
      'node_modules/three': { version: '1.0.0', dependencies: { gone: '1' } },
    })
    expect(pathsOf(text, 'one', 'two')).toEqual(['', 'node_modules/one', 'node_modules/two'])
    expect(() => pickFromLock(text, ['three'])).toThrow('gone, which node_modules/three needs, is not in package-lock.json')
    expect(() => pickFromLock(text, ['four'])).toThrow('four, which the image needs')
    expect(() => pickFromLock('{"lockfileVersion":1}', [])).toThrow('not a lock file of version 3')
  })
})
