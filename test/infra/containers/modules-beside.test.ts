import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { projectRoot } from '../../support/containers/dockerfile.ts'
import { listModulesBeside } from '../../support/containers/modules-beside.ts'

describe('infra/launch/beside.json, which every bundler except that of functions reads', () => {
  it('lists exactly the modules that start as a thread or as another process', () => {
    const paths: readonly string[] = JSON.parse(readFileSync(join(projectRoot, 'infra/launch/beside.json'), 'utf8'))
    expect(paths.map((path) => basename(path, '.ts')).sort()).toEqual(listModulesBeside())
    expect(listModulesBeside()).toContain('copy-process')
  })
})
