import { execFile } from 'node:child_process'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from '@jest/globals'

const root = resolve(import.meta.dirname, '../../../..')
const source = pathToFileURL(join(root, 'shared/platform/process/end-with.ts')).href

/** The exit code of a process whose work is this expression, which nothing awaits. */
const codeOf = async (work: string) => {
  const script = `const { endWith } = await import(${JSON.stringify(source)}); endWith(${work})`
  const { code, stderr } = await promisify(execFile)(
    process.execPath,
    ['--import', 'tsx', '--input-type=module', '--eval', script],
    { cwd: root },
  ).then(
    () => ({ code: 0, stderr: '' }),
    (error: { code: number; stderr: string }) => error,
  )
  return { code, stderr }
}

it('ends a process with the code of its work', async () => {
  expect(await codeOf('Promise.resolve(0)')).toEqual({ code: 0, stderr: '' })
  expect((await codeOf('Promise.resolve(2)')).code).toBe(2)
})

it('ends it with 1 and the error when the work fails', async () => {
  const { code, stderr } = await codeOf('Promise.reject(new Error("no room"))')
  expect(code).toBe(1)
  expect(stderr).toContain('no room')
})

it('ends it with 13 when the work never settles', async () => {
  expect((await codeOf('new Promise(() => undefined)')).code).toBe(13)
})
