import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, it } from '@jest/globals'
import { createTempDir } from '../support/processes/temp-dir.ts'

const program = resolve(import.meta.dirname, '../../tools/prose.mjs')
const run = promisify(execFile)

const temp = await createTempDir()
afterAll(temp.remove)
let count = 0
/** A new folder that is in no git repository. */
const createFolder = async (text: string): Promise<string> => {
  count += 1
  const folder = join(temp.path, String(count))
  await mkdir(folder)
  await writeFile(join(folder, 'page.md'), text)
  return folder
}
const runProse = (folder: string, ...args: string[]) =>
  run(process.execPath, [program, ...args], {
    cwd: folder,
    env: { ...process.env, GIT_CEILING_DIRECTORIES: resolve(folder, '..') },
  })
const git = (folder: string, ...args: string[]) =>
  run('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], { cwd: folder })

it('lists flagged sentences of a folder without git', async () => {
  const { stdout } = await runProse(await createFolder('Nobody edits it. The zone is empty.\n'))
  expect(stdout).toContain('page.md:1: Nobody edits it.')
  expect(stdout).toContain('doc      2 sentences, 0 over 25 words, 0 with two or more clauses, 1 with odd phrases')
})

it('exits with 1 when a count is over its limit, and with 0 when it equals it', async () => {
  const folder = await createFolder('Nobody edits it.\n')
  await expect(runProse(folder, '--limit', 'doc.long=0,doc.dialect=0')).rejects.toMatchObject({
    code: 1,
    stdout: expect.stringContaining('doc.dialect is 1, its limit is 0.'),
  })
  const { stdout } = await runProse(folder, '--limit', 'doc.long=0,doc.dialect=1')
  expect(stdout).not.toContain('limit')
})

it('prints the limits that can be lowered', async () => {
  const { stdout } = await runProse(await createFolder('Nobody edits it.\n'), '--limit', 'doc.stacked=3,doc.dialect=1')
  expect(stdout).toContain('Lower these limits in package.json: doc.stacked=0')
})

it('lists only changed lines in a clone of depth 1', async () => {
  const origin = await createFolder('Nobody edits it.\n')
  await git(origin, 'init', '-q', '-b', 'main')
  await git(origin, 'add', '.')
  await git(origin, 'commit', '-q', '-m', 'first')
  const clone = join(temp.path, 'clone')
  await git(origin, 'clone', '-q', '--depth', '1', `file://${origin}`, clone)
  await writeFile(join(clone, 'page.md'), 'Nobody edits it.\n\nSomebody adds a line.\n')
  const { stdout } = await runProse(clone, '--changed', 'main')
  expect(stdout).toContain('page.md:3: Somebody adds a line.')
  expect(stdout).not.toContain('page.md:1:')
})
