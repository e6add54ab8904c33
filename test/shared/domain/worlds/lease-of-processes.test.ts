import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { type ChildScript, nextLine, startScript } from '../../../support/processes/child-process.ts'
import { createTempDir } from '../../../support/processes/temp-dir.ts'

const script = join(import.meta.dirname, '../../../support/worlds/lease-holder-script.ts')

describe('the lease of a world among processes', () => {
  let dir: Awaited<ReturnType<typeof createTempDir>>
  let children: ChildScript[]
  const start = (name: string): ChildScript => {
    const child = startScript(script, [dir.path, name])
    children.push(child)
    return child
  }

  beforeEach(async () => {
    dir = await createTempDir()
    children = []
  })
  afterEach(async () => {
    for (const child of children) child.process.kill('SIGKILL')
    await Promise.all(children.map(({ ended }) => ended))
    await dir.remove()
  })

  it('is refused while its holder lives, naming it, and free at once after a release', async () => {
    const first = start('the first')
    expect(await nextLine(first)).toBe('fence 1')
    expect(await nextLine(start('the second'))).toContain('held by the first')
    first.process.stdin.end()
    expect(await first.ended).toBe(0)
    expect(await nextLine(start('the third'))).toBe('fence 2')
  })

  it('is taken after kill -9 of its holder without waiting for its expiry', async () => {
    const first = start('the first')
    expect(await nextLine(first)).toBe('fence 1')
    first.process.kill('SIGKILL')
    expect(await first.ended).toBe('SIGKILL')
    // This is well within the time to live: a wait for it would exceed the time limit of this test.
    expect(await nextLine(start('the second'))).toBe('fence 2')
  }, 180_000)

  it('is taken by one of several concurrent starts', async () => {
    const lines = await Promise.all(['a', 'b', 'c'].map((name) => nextLine(start(name))))
    expect(lines.filter((line) => line === 'fence 1')).toHaveLength(1)
    expect(lines.filter((line) => line.includes('is held by'))).toHaveLength(2)
  })
})
