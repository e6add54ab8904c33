import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect } from '@jest/globals'
import { itWhere } from '../../../../support/needs/guard.ts'

const script = join(import.meta.dirname, '../../../../support/storage/full-disk-script.ts')
/** A disk of 24 MiB that only the command sees. */
const onSmallDisk = (folder: string, command: readonly string[]) => {
  const shell = 'mount -t tmpfs -o size=24m tmpfs "$1" && shift && exec "$@"'
  return spawnSync('unshare', ['--mount', 'sh', '-c', shell, 'sh', folder, ...command], { encoding: 'utf8', timeout: 60_000 })
}

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-full-disk-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const hasMounts = onSmallDisk(folder, ['true']).status === 0
const itOnSmallDisk = itWhere({
  reason: 'needs unshare and the right to mount, for a small disk of its own',
  isMet: hasMounts,
  isOptional: true,
})

itOnSmallDisk('records and chunks refuse writes on a full disk before LMDB itself fails', () => {
  const { status, signal, stdout, stderr } = onSmallDisk(folder, [process.execPath, '--import', 'tsx', script, folder])
  expect({ status, signal, stderr }).toEqual({ status: 0, signal: null, stderr: '' })
  expect(stdout.trim().split('\n')).toEqual([
    'storage-full: The disk is full. Nothing was written.',
    'free true',
    'records go on',
    'goes on',
    expect.stringMatching(/^at once [1-9], free true$/),
    'service-unavailable: The disk of the data folder is full (4 MiB are kept free). Nothing was written. Free some space.',
    'free true',
    'goes on',
  ])
})
