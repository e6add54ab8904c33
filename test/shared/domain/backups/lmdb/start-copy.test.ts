import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { startCopy } from '../../../../../shared/domain/backups/lmdb/start-copy.ts'
import { createTempDir } from '../../../../support/processes/temp-dir.ts'

describe('the process that copies', () => {
  const bundles = process.env.GATEHOUSE_TESTS_THREADS
  let dir: Awaited<ReturnType<typeof createTempDir>>
  /** Replaces the program of the process. */
  const put = (code: string) => writeFile(join(dir.path, 'copy-process.js'), code)

  beforeEach(async () => {
    dir = await createTempDir()
    process.env.GATEHOUSE_TESTS_THREADS = dir.path
  })
  afterEach(async () => {
    if (bundles === undefined) delete process.env.GATEHOUSE_TESTS_THREADS
    else process.env.GATEHOUSE_TESTS_THREADS = bundles
    await dir.remove()
  })

  const failureOf = (signal = new AbortController().signal): Promise<unknown> =>
    startCopy(signal).then(
      () => undefined,
      (error: unknown) => error,
    )

  it('fails with its standard error when it cannot start', async () => {
    expect(await failureOf()).toMatchObject({
      kind: 'unavailable',
      publicDetail: expect.not.stringContaining(dir.path),
      cause: { message: expect.stringMatching(/^the process ended with 1: .*Cannot find module/s) },
    })
  })

  it('keeps a limited part of its standard error', async () => {
    await put(`process.stderr.write('first words' + 'x'.repeat(1e6), () => process.exit(3))`)
    const failure = await failureOf()
    expect(failure).toMatchObject({ cause: { message: expect.stringMatching(/^the process ended with 3: first words/) } })
    expect(JSON.stringify(failure instanceof Error && String(failure.cause)).length).toBeLessThan(5000)
  })
})
