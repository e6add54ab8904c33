import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from '@jest/globals'

const root = resolve(import.meta.dirname, '../..')
const manifest: { readonly scripts: Readonly<Record<string, string>> } = JSON.parse(
  readFileSync(join(root, 'package.json'), 'utf8'),
)
/** The programs of `npm run` with options for people. The others have none. */
const programs = Object.entries(manifest.scripts).filter(([name]) =>
  [
    'start',
    'dev',
    'start:http',
    'start:realtime',
    'adduser',
    'token',
    'world',
    'backup',
    'migrate',
    'oauth',
    'play',
    'bots',
    'conformance',
    'tables',
    'package:server',
    'bench',
    'campaign',
  ].includes(name),
)

describe('npm run', () => {
  it.each(programs)('%s -- --help prints its usage and exits with 0', async (name, script) => {
    const [, ...args] = script.split(' ')
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [...args, '--help'], { cwd: root })
    expect(stdout).toContain(`npm run ${name}`)
    expect(stderr).toBe('')
  })

  it.each(['start', 'dev', 'start:http', 'start:realtime'])('%s refuses an unknown option and starts nothing', async (name) => {
    const [, ...args] = manifest.scripts[name]?.split(' ') ?? []
    const run = promisify(execFile)(process.execPath, [...args, '--prot=1'], { cwd: root })
    await expect(run).rejects.toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('There is no option --prot=1.'),
    })
  })

  it('has such a program for each name', () => {
    expect(programs).toHaveLength(17)
  })
})
