import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from '@jest/globals'

const run = (way: string) =>
  new Promise<{ readonly signal: string | null | undefined; readonly out: string }>((resolve) => {
    const script = join(import.meta.dirname, 'stalled-script.ts')
    execFile(process.execPath, ['--import', 'tsx', script, way], (error, out) => resolve({ signal: error?.signal, out }))
  })

it.each(['handler', 'later'])('names the module that never ends, and ends the process: %s', async (way) => {
  const { signal, out } = await run(way)
  expect(signal).toBe('SIGKILL')
  expect(
    out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toMatchObject([
    { module: 'looper', msg: expect.stringContaining('stands still') },
    { module: 'looper', msg: expect.stringContaining('the process ends') },
  ])
})

it('does not end the process when the server itself stands still', async () => {
  expect(await run('server')).toEqual({ signal: undefined, out: 'went on\n' })
})
