import { spawnSync } from 'node:child_process'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { expect, it } from '@jest/globals'
import { createTempDir } from '../support/processes/temp-dir.ts'

const script = resolve(import.meta.dirname, '../../.ci/run')

/** Runs `.ci/run` with a program in place of npm, which ends the checks and the tests with these codes. */
const runCi = async (checksCode: number, testsCode: number) => {
  const dir = await createTempDir()
  const programs = {
    npm: `case "$*" in
      *check:static*) sleep 0.2; echo "output of the checks" >&2; exit ${checksCode};;
      test*) echo "output of the tests" >&2; echo "2 passed, 0 failed, 0 skipped"; exit ${testsCode};;
    esac`,
    ...Object.fromEntries(['redis-server', 'java', 'strace', 'chromium', 'chromium-headless-shell'].map((name) => [name, ''])),
  }
  await mkdir(join(dir.path, 'bin'))
  for (const [name, body] of Object.entries(programs)) {
    const path = join(dir.path, 'bin', name)
    await writeFile(path, `#!/bin/sh\n${body}\n`)
    await chmod(path, 0o755)
  }
  const env = { ...process.env, PATH: `${join(dir.path, 'bin')}:${process.env.PATH}`, TMPDIR: dir.path }
  const { status, stdout } = spawnSync('bash', [script], { env, encoding: 'utf8' })
  await dir.remove()
  return { status, lines: stdout.trimEnd().split('\n') }
}

it.each([
  [0, 0, 0],
  [1, 0, 1],
  [0, 1, 1],
])('ends with the count of tests: checks that exit with %d, tests with %d, script with %d', async (checks, tests, code) => {
  expect(await runCi(checks, tests)).toEqual({
    status: code,
    lines: ['output of the tests', 'output of the checks', '2 passed, 0 failed, 0 skipped'],
  })
})
