import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { createEmbeddedConfigFiles } from '../../../../../shared/domain/configs/texts/embedded/config-files-embedded.ts'
import { systemClock } from '../../../../../shared/kernel/clock.ts'
import { systemIds } from '../../../../../shared/kernel/ids.ts'
import { createLmdbStore } from '../../../../../shared/platform/storage/lmdb/lmdb-store.ts'
import { itWhere } from '../../../../support/needs/guard.ts'
import { type ChildScript, nextLine, startScript } from '../../../../support/processes/child-process.ts'
import { createTempDir } from '../../../../support/processes/temp-dir.ts'

const script = join(import.meta.dirname, '../../../../support/configs/config-writer-script.ts')
const bundledDir = resolve(import.meta.dirname, '../../../../../resources/config')
const name = 'groups.yaml'

describe('config files under several processes', () => {
  let temp: Awaited<ReturnType<typeof createTempDir>>
  const children: ChildScript[] = []

  const start = (args: readonly string[], limits = {}): ChildScript => {
    const child = startScript(script, args, limits)
    children.push(child)
    return child
  }
  const restOf = async ({ lines }: ChildScript): Promise<string[]> => {
    const rest: string[] = []
    for (let line = await lines.next(); !line.done; line = await lines.next()) rest.push(line.value)
    return rest
  }
  /** The active text, then the earlier ones, newest first. */
  const readTexts = async (): Promise<string[]> => {
    const store = createLmdbStore({ path: join(temp.path, 'records'), ids: systemIds })
    const files = createEmbeddedConfigFiles({ dataDir: temp.path, bundledDir, store, clock: systemClock, ids: systemIds })
    const texts = [(await files.read(name)).text]
    for (const { revision } of await files.revisions(name)) texts.push((await files.findRevision(name, revision)) ?? 'lost')
    await store.close()
    return texts
  }

  beforeEach(async () => {
    temp = await createTempDir()
    await mkdir(join(temp.path, 'config'))
  })
  afterEach(async () => {
    for (const { process: child, ended } of children.splice(0)) {
      if (child.exitCode === null) child.kill('SIGKILL')
      await ended
    }
    await temp.remove()
  })

  it('have a complete text and all acknowledged saves, each once, whenever a process is killed', async () => {
    for (const [round, answers] of [1, 9, 22].entries()) {
      const child = start(['save', temp.path, `round${round}`])
      const answered: number[] = []
      while (answered.length < answers) answered.push(Number(await nextLine(child)))
      child.process.kill('SIGKILL')
      answered.push(...(await restOf(child)).map(Number))
      const last = answered.at(-1) ?? 0
      const numbers = (await readTexts())
        .filter((text) => text.startsWith(`round${round} `))
        .map((text) => {
          const [line = ''] = text.split('\n')
          expect(text).toBe(`${line}\n`.repeat(5000))
          return Number(line.split(' ')[1])
        })
      expect(new Set(numbers).size).toBe(numbers.length)
      // The active text is the last acknowledged one, or the one that was being written.
      expect([last, last + 1]).toContain(numbers[0])
      const retained = Array.from({ length: Math.min(last, 20) }, (_, at) => last - at)
      expect(numbers).toEqual(expect.arrayContaining(retained))
      expect(numbers.every((number) => number <= last + 1)).toBe(true)
    }
    const texts = await readTexts()
    expect(texts).toHaveLength(21)
    expect(texts).not.toContain('lost')
    await restOf(start(['race', temp.path, 'after', '1']))
    expect((await readdir(join(temp.path, 'config'))).toSorted()).toEqual(['.configs.lock', name])
  }, 180_000)

  it('refuse a stale tag across processes', async () => {
    const writers = ['a', 'b'].map((label) => start(['race', temp.path, label, '15']))
    const stale = (await Promise.all(writers.map(restOf))).flat().map(Number)
    const saved = 30 - (stale[0] ?? 0) - (stale[1] ?? 0)
    const texts = await readTexts()
    expect(texts).toHaveLength(Math.min(21, saved + 1))
    expect(new Set(texts).size).toBe(texts.length)
  }, 180_000)

  const notWindows = itWhere({
    reason: 'needs limits and permissions that Windows does not have',
    isMet: process.platform !== 'win32',
    isOptional: true,
  })

  notWindows('say that there is no room left, and leave the old text whole', async () => {
    await writeFile(join(temp.path, 'config', name), 'old')
    const child = start(['full', temp.path, join(temp.path, 'records'), '900000'], { fileBlocksMax: 1000 })
    expect(await nextLine(child)).toBe(`storage-full: There is not enough disk space for ${name}. Nothing was written.`)
    await child.ended
    expect(await readTexts()).toEqual(['old'])
    expect((await readdir(join(temp.path, 'config'))).toSorted()).toEqual(['.configs.lock', name])
  })

  notWindows('name the file and the way out where the folder cannot be written', async () => {
    await writeFile(join(temp.path, 'config', name), 'old')
    await chmod(temp.path, 0o755)
    await chmod(join(temp.path, 'config'), 0o555)
    const child = start(['forbidden', temp.path, join(temp.path, 'records'), '100'])
    expect(await nextLine(child)).toMatch(
      /^service-unavailable: groups\.yaml cannot be written\. Give the server's user write access/,
    )
    expect(await readFile(join(temp.path, 'config', name), 'utf8')).toBe('old')
    await chmod(join(temp.path, 'config'), 0o755)
  })
})
