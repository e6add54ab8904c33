import { spawnSync } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from '@jest/globals'
import { describeUnwritable } from '../../../../../shared/platform/storage/files/describe-unwritable.ts'
import { itWhere } from '../../../../support/needs/guard.ts'
import { createTempDir } from '../../../../support/processes/temp-dir.ts'

let root: Awaited<ReturnType<typeof createTempDir>>
let config: string
beforeEach(async () => {
  root = await createTempDir()
  config = join(root.path, 'config')
  await mkdir(config)
  await writeFile(join(config, 'users.yaml'), 'users: []\n')
})
afterEach(() => root.remove())

it('returns nothing for a writable folder, and for a missing one', () => {
  expect(describeUnwritable(config)).toEqual([])
  expect(describeUnwritable(join(root.path, 'none'))).toEqual([])
})

it('names a file that is mounted by itself', () => {
  expect(describeUnwritable(config, new Set([join(config, 'users.yaml')]))).toEqual([
    expect.stringContaining('config/users.yaml'),
  ])
})

/** Runs the same with mounts that only the command sees. */
const inMounts = (mount: string) => {
  const module = join(import.meta.dirname, '../../../../../shared/platform/storage/files')
  const script = `
    const { describeUnwritable } = await import('${module}/describe-unwritable.ts')
    const { replaceFile } = await import('${module}/atomic-file.ts')
    const refusal = await replaceFile('${config}/users.yaml', 'x').then(() => 'none', (error) => error.publicDetail)
    console.log(JSON.stringify([describeUnwritable('${config}'), refusal]))`
  const node = [process.execPath, '--import', 'tsx', '--input-type=module', '-e', script]
  return spawnSync('unshare', ['--mount', 'sh', '-c', `${mount} && exec "$@"`, 'sh', ...node], {
    encoding: 'utf8',
    timeout: 60_000,
  })
}
const itMounted = itWhere({
  reason: 'needs unshare and the right to mount',
  isMet: spawnSync('unshare', ['--mount', 'true']).status === 0,
  isOptional: true,
})

itMounted('names the cause for a file mounted by itself, and for a folder mounted read-only', () => {
  const file = inMounts(`mount --bind ${config}/users.yaml ${config}/users.yaml`)
  expect([file.stderr, JSON.parse(file.stdout || 'null')]).toEqual([
    '',
    [
      [expect.stringContaining('config/users.yaml cannot be saved: it is a separate mount')],
      expect.stringMatching(/^users.yaml cannot be written: it is a separate mount/),
    ],
  ])
  const folder = inMounts(`mount --bind ${config} ${config} && mount -o remount,ro,bind ${config}`)
  expect([folder.stderr, JSON.parse(folder.stdout || 'null')]).toEqual([
    '',
    [
      [expect.stringContaining('it is mounted read-only')],
      expect.stringMatching(/^users.yaml cannot be written: it is mounted read-only/),
    ],
  ])
})
