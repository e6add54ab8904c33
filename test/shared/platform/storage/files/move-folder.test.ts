import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect } from '@jest/globals'
import { movePath } from '../../../../../shared/platform/storage/files/move-folder.ts'
import { itWhere } from '../../../../support/needs/guard.ts'
import { createTempDir } from '../../../../support/processes/temp-dir.ts'
import { createFolderOnSecondDisk, secondDisk } from '../../../../support/storage/second-disk.ts'

const itAcross = itWhere(secondDisk)

let here: Awaited<ReturnType<typeof createTempDir>>
let there: ReturnType<typeof createFolderOnSecondDisk> | undefined
beforeEach(async () => {
  here = await createTempDir()
  there = secondDisk.isMet ? createFolderOnSecondDisk() : undefined
})
afterEach(async () => {
  there?.remove()
  await here.remove()
})

const makeWorld = async (folder: string): Promise<void> => {
  await mkdir(join(folder, 'inner'), { recursive: true })
  for (const name of ['data.mdb', 'lock.mdb', 'inner/more']) await writeFile(join(folder, name), name)
}
const places = () => ({ from: join(here.path, 'north'), to: join(there?.path ?? '', 'trash', 'chunks') })

itAcross('moves a folder to another file system, without locks, and leaves nothing behind', async () => {
  const { from, to } = places()
  await makeWorld(from)
  await movePath(from, to)
  expect([(await readdir(to)).sort(), await readFile(join(to, 'inner/more'), 'utf8')]).toEqual([
    ['data.mdb', 'inner'],
    'inner/more',
  ])
  expect([await readdir(here.path), await readdir(join(to, '..'))]).toEqual([[], ['chunks']])
})

itAcross('completes a move that was interrupted during the copy, after it, and during the removal', async () => {
  const { from, to } = places()
  await makeWorld(from)
  await mkdir(join(to, '../.moving-chunks'), { recursive: true })
  await writeFile(join(to, '../.moving-chunks/half'), '')
  await movePath(from, to)
  expect(existsSync(join(to, 'half'))).toBe(false)
  await makeWorld(from)
  await movePath(from, to)
  expect(existsSync(from)).toBe(false)
  await makeWorld(from)
  await rename(from, join(here.path, '.moved-north'))
  await movePath(from, to)
  expect([await readdir(here.path), await readdir(join(to, '..'))]).toEqual([[], ['chunks']])
})
