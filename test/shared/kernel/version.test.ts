import { readFileSync } from 'node:fs'
import { expect, it } from '@jest/globals'
import { version } from '../../../shared/kernel/version.ts'

it('is the version of package.json', () => {
  expect(version).toBe(JSON.parse(readFileSync('package.json', 'utf8')).version)
})
