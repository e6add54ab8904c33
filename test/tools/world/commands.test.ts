import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { crc32 } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { readWorldFile } from '../../../shared/domain/world-moves/files/import/read-world-file.ts'
import { chunkMax } from '../../../shared/rules/positions.ts'
import { writeWorldFile } from '../../../tools/world/file/write-world-file.ts'
import { waitFor } from '../../support/time/wait-for.ts'
import { openStoredTask, type StoredTask } from './support/stored-task.ts'

describe('npm run world', () => {
  let stored: StoredTask
  beforeEach(async () => {
    stored = await openStoredTask()
  })
  afterEach(() => stored.close())

  const world = (name: string) => stored.task.worlds.getWorld(name)
  const columnsOf = async (name: string): Promise<Map<string, string>> => {
    const columns = new Map<string, string>()
    const ref = await world(name)
    for await (const { cx, czs } of stored.task.chunks.discovered(ref))
      for (const cz of czs)
        columns.set(`${cx},${cz}`, Buffer.from((await stored.task.chunks.get(ref, { cx, cz })) ?? []).toString('hex'))
    return columns
  }
  const createFlat = async (name: string): Promise<void> => {
    await stored.task.worlds.createWorld({ name, seed: 7, generator: 'flat-1' })
  }
  const damage = async (name: string, cx: number, cz: number): Promise<void> => {
    const ref = await world(name)
    const lease = await stored.lease(ref)
    await stored.task.chunks.putMany(ref, [{ cx, cz, bytes: Buffer.from('rubbish') }], lease.fence)
    await lease.release()
  }

  /** Column 0,0 in the next format version. */
  const makeNewer = async (name: string): Promise<Uint8Array> => {
    const ref = await world(name)
    const bytes = Buffer.from((await stored.task.chunks.get(ref, { cx: 0, cz: 0 })) ?? [])
    bytes[1] = 2
    bytes.writeUInt32LE(crc32(bytes.subarray(0, -4)), bytes.length - 4)
    const lease = await stored.lease(ref)
    await stored.task.chunks.putMany(ref, [{ cx: 0, cz: 0, bytes }], lease.fence)
    await lease.release()
    return bytes
  }

  describe('usage', () => {
    it.each([
      [[], 'create NAME'],
      [['explode', 'north'], 'There is no command "explode"'],
      [['create'], 'NAME is missing'],
      [['create', 'a', 'b'], 'Too many arguments'],
      [['create', 'a', '--sead', '1'], 'An option is unknown'],
      [['list', 'all'], 'Too many arguments'],
      [['pregen', 'a'], '--radius is missing'],
      [['pregen', 'a', '--radius', '-1'], '--radius must be a whole number'],
      [['pregen', 'a', '--radius', '1.5'], '--radius must be a whole number'],
      [['pregen', 'a', '--radius', String(chunkMax + 1)], '--radius must be a whole number'],
      [['check'], 'NAME is missing'],
      [['export', 'a'], 'FILE is missing'],
      [['import', 'a'], 'NAME is missing'],
      [['map', 'a'], 'FILE.png is missing'],
      [['map', 'a', 'b', '--box', '1,2,3'], '--box must be minCx'],
      [['map', 'a', 'b', '--box', '1,2,3,x'], '--box must be minCx'],
      [['map', 'a', 'b', '--box', '-2000000,0,0,0'], '--box must be minCx'],
      [['map', 'a', 'b', '--box', '5,0,-5,0'], 'smaller numbers first'],
      [['map', 'a', 'b', '--scale', '0'], '--scale must be a whole number'],
      [['map', 'a', 'b', '--scale', '2000'], '--scale must be a whole number'],
    ])('of %j exits with 1 and the fault, and opens nothing', async (args, reason) => {
      const { exit, err, out } = await stored.run(args)
      expect([exit, out]).toEqual([1, ''])
      expect(err).toContain(reason)
      expect(await stored.task.worlds.listWorlds()).toEqual([])
    })

    it.each([
      ['pregen', 'nowhere', '--radius', '1'],
      ['check', 'nowhere'],
      ['check', 'nowhere', '--repair'],
      ['export', 'nowhere', 'x.world'],
      ['map', 'nowhere', 'x.png'],
      ['export', '../../etc', 'x.world'],
    ])('of %s %s exits with 2 when the world does not exist', async (...args) => {
      expect(await stored.run(args)).toEqual({ exit: 2, out: '', err: 'There is no world with that name.\n' })
    })
  })

  describe('create and list', () => {
    it('make worlds and show them in a table, the active one first', async () => {
      expect(await stored.run(['list'])).toEqual({ exit: 0, out: 'There are no worlds yet.\n', err: '' })
      expect((await stored.run(['create', 'north', '--seed', '-42'])).out).toContain('north with the seed -42')
      expect((await stored.run(['create', 'default', '--seed', 'hello'])).exit).toBe(0)
      const { exit, out } = await stored.run(['list'])
      expect(exit).toBe(0)
      expect(out.split('\n').map((line) => line.split(/\s{2,}/).slice(0, 3))).toEqual([
        ['NAME', 'SEED', 'COLUMNS'],
        ['default', expect.stringMatching(/^\d+$/), '0'],
        ['north', '-42', '0'],
        [''],
      ])
    })

    it.each([
      [['create', 'no way'], 'letters, digits, dashes and underscores'],
      [['create', '../x'], 'letters, digits'],
      [['create', 'x'.repeat(65)], 'letters, digits'],
      [['create', 'NUL'], 'device'],
      [['create', 'NORTH'], 'letter case'],
    ])('refuse %j with 2', async (args, reason) => {
      await createFlat('north')
      const { exit, err } = await stored.run(args)
      expect([exit, err]).toEqual([2, expect.stringContaining(reason)])
    })
  })

  describe('pregen', () => {
    it('is a job that others can see, and runs on the node if a node runs the world', async () => {
      await createFlat('north')
      await stored.run(['pregen', 'north', '--radius', '2'])
      const [own] = (await stored.task.jobs.listJobs({ limit: 1 })).jobs
      expect(own).toMatchObject({ kind: 'pregen', state: 'done', by: 'operator', result: { columns: 25, generated: 25 } })

      const lease = await stored.lease(await world('north'))
      const running = stored.run(['pregen', 'north', '--radius', '3'])
      await waitFor(async () => (await stored.task.jobs.listJobs({ limit: 1 })).jobs[0]?.state === 'queued')
      const { id } = (await stored.task.jobs.listJobs({ limit: 1 })).jobs[0] ?? { id: '' }
      const run = async () => ({ detail: '49 of 49 chunks exist, 24 of them new.' })
      await stored.task.runJob(id, { kind: 'pregen', lane: 'columns', afterCrash: 'go-on', run })
      expect(await running).toMatchObject({ exit: 0, out: expect.stringContaining('24 of them new') })

      const stop = new AbortController()
      stop.abort()
      const stopped = await stored.run(['pregen', 'north', '--radius', '3'], { signal: stop.signal })
      expect(stopped).toMatchObject({ exit: 130, out: expect.stringContaining('cancelled before it began') })
      expect(await stored.run(['pregen', 'north', '--radius', '1001'])).toMatchObject({ exit: 2 })
      await lease.release()
    })

    it('resumes by itself where a task had the world instead of a server', async () => {
      await createFlat('north')
      const lease = await stored.lease(await world('north'))
      const running = stored.run(['pregen', 'north', '--radius', '1'], { with: { abandonedAfterMs: 2_000 } })
      await waitFor(async () => (await stored.task.jobs.listJobs({ limit: 1 })).jobs[0]?.state === 'queued')
      await lease.release()
      expect(await running).toMatchObject({ exit: 0, out: expect.stringContaining('Generated 9 columns') })
      const { jobs } = await stored.task.jobs.listJobs({ limit: 5 })
      expect(jobs.map(({ state }) => state).sort()).toEqual(['cancelled', 'done'])
    })

    it('generates the whole square, and only its missing columns the next time', async () => {
      await createFlat('north')
      const first = await stored.run(['pregen', 'north', '--radius', '2'])
      expect([first.exit, first.err]).toEqual([0, ''])
      expect(first.out).toMatch(/^Generated 25 columns, [\d,]+ columns a second\. 0 existed already\.\n$/)
      expect((await columnsOf('north')).size).toBe(25)
      const second = await stored.run(['pregen', 'north', '--radius', '3'])
      expect(second.out).toMatch(/^Generated 24 columns, .*\. 25 existed already\.\n$/)
      expect((await stored.run(['pregen', 'north', '--radius', '3'])).out).toBe('Generated 0 columns. 49 existed already.\n')
    })

    it('stops on request with the finished columns, releases the world, and resumes later', async () => {
      await createFlat('north')
      const stop = new AbortController()
      const { putMany } = stored.task.chunks
      const chunks = {
        ...stored.task.chunks,
        putMany: async (...args: Parameters<typeof putMany>) => {
          await putMany(...args)
          stop.abort()
        },
      }
      const stopped = await stored.run(['pregen', 'north', '--radius', '12'], { signal: stop.signal, with: { chunks } })
      expect([stopped.exit, stopped.out]).toEqual([130, expect.stringContaining('Run the same command to continue')])
      const generated = (await columnsOf('north')).size
      expect(generated).toBeGreaterThan(0)
      expect(generated).toBeLessThan(625)
      const { exit, out } = await stored.run(['pregen', 'north', '--radius', '12'])
      expect([exit, out]).toEqual([0, expect.stringContaining(`. ${generated} existed already`)])
    })

    it('reports why a batch cannot be written, and releases the world', async () => {
      await createFlat('north')
      const putMany = async () => {
        throw new Error('the disk is on fire')
      }
      const chunks = { ...stored.task.chunks, putMany }
      const { exit, err } = await stored.run(['pregen', 'north', '--radius', '20'], { with: { chunks } })
      expect([exit, err]).toEqual([2, 'the disk is on fire\n'])
      await (await stored.lease(await world('north'))).release()
    })
  })

  describe('check', () => {
    beforeEach(async () => {
      await createFlat('north')
      await stored.run(['pregen', 'north', '--radius', '1'])
    })

    it('reports a sound world as sound while a node runs it', async () => {
      const lease = await stored.lease(await world('north'))
      expect(await stored.run(['check', 'north'])).toEqual({ exit: 0, out: 'All 9 columns of north are valid.\n', err: '' })
      await lease.release()
    })

    it('names each damaged column, exits with 3, and changes nothing', async () => {
      await damage('north', 1, -1)
      const before = await columnsOf('north')
      const { exit, out, err } = await stored.run(['check', 'north'])
      expect(exit).toBe(3)
      expect(out).toMatch(/^column 1,-1: .+\n1 fault in 9 columns of north\.\n$/)
      expect(err).toContain('--repair')
      expect(await columnsOf('north')).toEqual(before)
    })

    it('sets damaged columns aside with --repair for an operator, and leaves a sound world', async () => {
      await damage('north', 1, -1)
      const { exit, out } = await stored.run(['check', 'north', '--repair'])
      expect([exit, out]).toEqual([0, expect.stringContaining('Set 1 column aside')])
      expect(await stored.run(['check', 'north'])).toMatchObject({ exit: 0, out: 'All 8 columns of north are valid.\n' })
      const aside: string[] = []
      for await (const { cx, cz, bytes } of stored.task.chunks.listSetAside(await world('north')))
        aside.push(`${cx},${cz} ${Buffer.from(bytes)}`)
      expect(aside).toEqual(['1,-1 rubbish'])
    })

    it('names a generated column without a record, and marks it as not generated with --repair', async () => {
      const { chunks } = stored.task
      let isGone = true
      const hasNone = ({ cx, cz }: { cx: number; cz: number }) => isGone && cx === 0 && cz === 0
      /** A store whose bitmap and records disagree, which ours never do. */
      const torn = {
        ...chunks,
        getMany: async (...[of, positions]: Parameters<typeof chunks.getMany>) =>
          (await chunks.getMany(of, positions)).map((bytes, at) =>
            hasNone(positions[at] ?? { cx: 1, cz: 1 }) ? undefined : bytes,
          ),
        has: async (...[of, pos]: Parameters<typeof chunks.has>) => !hasNone(pos) && chunks.has(of, pos),
        putMany: async (...args: Parameters<typeof chunks.putMany>) => {
          isGone = false
          await chunks.putMany(...args)
        },
      }
      const seen = await stored.run(['check', 'north'], { with: { chunks: torn } })
      expect([seen.exit, seen.out]).toEqual([3, expect.stringContaining('column 0,0: it counts as generated, but has no record')])
      expect((await stored.run(['check', 'north', '--repair'], { with: { chunks: torn } })).exit).toBe(0)
      expect([...(await columnsOf('north')).keys()]).not.toContain('0,0')
      expect((await stored.run(['check', 'north'])).out).toBe('All 8 columns of north are valid.\n')
    })

    it('does not report concurrent writes of a node as damage', async () => {
      const ref = await world('north')
      const { chunks } = stored.task
      const lease = await stored.lease(ref)
      const bytes = (await chunks.get(ref, { cx: 0, cz: 0 })) ?? new Uint8Array(0)
      const busy = {
        ...chunks,
        getMany: async (...[of, positions]: Parameters<typeof chunks.getMany>) => {
          await chunks.setAside(of, { cx: 0, cz: 0 }, lease.fence)
          return chunks.getMany(of, positions)
        },
      }
      expect((await stored.run(['check', 'north'], { with: { chunks: busy } })).exit).toBe(0)
      await chunks.putMany(ref, [{ cx: 0, cz: 0, bytes }], lease.fence)
      await lease.release()
    })

    it('repairs nothing while a node runs the world', async () => {
      await damage('north', 1, -1)
      const lease = await stored.lease(await world('north'), 'the node next door')
      const { exit, err } = await stored.run(['check', 'north', '--repair'])
      expect([exit, err]).toEqual([2, expect.stringContaining('the node next door')])
      expect((await columnsOf('north')).size).toBe(9)
      await lease.release()
    })

    it('keeps a record of a newer version, and exits with 3', async () => {
      await makeNewer('north')
      const { exit, out } = await stored.run(['check', 'north', '--repair'])
      expect([exit, out]).toEqual([3, expect.stringContaining('kept in place')])
      expect((await columnsOf('north')).size).toBe(9)
    })
  })

  describe('a world with an unusable folder', () => {
    it.each([
      ['is damaged', 'data.mdb', 'x'.repeat(20_000)],
      ['has foreign files', 'holiday.jpg', 'a beach'],
    ])('that %s is listed with the reason, refused by other commands, and kept unchanged', async (_, name, text) => {
      await createFlat('north')
      const folder = join(stored.worldsDir, 'north')
      await mkdir(folder, { recursive: true })
      await writeFile(join(folder, name), text)
      const { exit, out, err } = await stored.run(['list'])
      expect([exit, out]).toEqual([0, expect.stringContaining('north')])
      expect(err).toContain('The chunks of the world north cannot be used')
      for (const args of [
        ['check', 'north'],
        ['check', 'north', '--repair'],
        ['pregen', 'north', '--radius', '1'],
        ['export', 'north', 'x'],
        ['map', 'north', 'x'],
      ])
        expect(await stored.run(args)).toMatchObject({ exit: 2, err: expect.stringContaining('cannot be used') })
      expect(await readFile(join(folder, name), 'utf8')).toBe(text)
    })

    it('does not exist when the folder is empty', async () => {
      await createFlat('north')
      await mkdir(join(stored.worldsDir, 'north'), { recursive: true })
      expect((await stored.run(['check', 'north'])).out).toBe('All 0 columns of north are valid.\n')
      expect((await stored.run(['pregen', 'north', '--radius', '0'])).out).toContain('Generated 1 column,')
    })
  })

  describe('export and import', () => {
    let file: string
    beforeEach(async () => {
      file = join(stored.dataDir, 'north.world')
      await createFlat('north')
      await stored.run(['pregen', 'north', '--radius', '3'])
      await stored.run(['export', 'north', file])
    })
    const names = async () => (await stored.task.worlds.listWorlds()).map(({ name }) => name)
    const folders = async () => (await readdir(stored.worldsDir)).filter((name) => !/\.lock$|^\.folder-id/.test(name)).sort()

    it('copy a world completely, with its seed, generator and settings', async () => {
      const { exit, out } = await stored.run(['import', file, 'copy'])
      expect([exit, out]).toEqual([0, 'Imported 49 columns as copy.\n'])
      expect(await columnsOf('copy')).toEqual(await columnsOf('north'))
      const [{ id, name, createdAt, ...facts }, copy] = [await world('north'), await world('copy')]
      expect(copy).toMatchObject(facts)
      expect(copy.id).not.toBe(id)
      expect((await stored.run(['pregen', 'copy', '--radius', '4'])).out).toContain('Generated 32 columns')
      expect(await folders()).toEqual(['copy', 'north'])
    })

    it('copy the spawn, and none from a file of an older version without one', async () => {
      const spawn = { x: 40.5, y: 64, z: -8.5, yaw: 90 }
      await stored.task.worlds.setSpawn('north', spawn)
      await stored.run(['export', 'north', file])
      await stored.run(['import', file, 'copy'])
      expect((await world('copy')).spawn).toEqual(spawn)
      const { name, seed, generator, settings, createdAt } = await world('north')
      const header = { format: 1, name, seed, generator, settings, createdAt, chunkCount: 0 }
      await writeWorldFile(file, { header, records: Readable.from([]) })
      expect(await stored.run(['import', file, 'older'])).toMatchObject({ exit: 0 })
      expect((await world('older')).spawn).toBeUndefined()
    })

    const headerOf = async (path: string) => {
      const { header, close } = await readWorldFile(path)
      close()
      return header
    }

    it('copy the states of modules, in a format that older versions refuse', async () => {
      const { moduleStates } = stored.task
      const states = { spleef: { version: 2, value: { round: 3 } }, hello: { version: 1, value: 'ä' } }
      expect(await headerOf(file)).toMatchObject({ format: 2 })
      await moduleStates.put((await world('north')).id, states)
      await stored.run(['export', 'north', file])
      expect(await headerOf(file)).toMatchObject({ format: 3, modules: states })
      await stored.run(['import', file, 'copy'])
      expect(await moduleStates.list((await world('copy')).id)).toEqual(states)
      await stored.run(['create', 'other'])
      expect(await moduleStates.list((await world('other')).id)).toEqual({})
    })

    it('copy a world without columns', async () => {
      await createFlat('empty')
      await stored.run(['export', 'empty', file])
      expect((await stored.run(['import', file, 'copy'])).out).toBe('Imported 0 columns as copy.\n')
      expect((await columnsOf('copy')).size).toBe(0)
    })

    it.each([
      ['a taken name', 'north', 'already exists'],
      ['a taken name in other letter case', 'NORTH', 'already exists'],
      ['a name that cannot be', 'no way', 'letters, digits'],
    ])('are refused under %s', async (_, name, reason) => {
      const { exit, err } = await stored.run(['import', file, name])
      expect([exit, err]).toEqual([2, expect.stringContaining(reason)])
      expect([await names(), await folders()]).toEqual([['north'], ['north']])
    })

    it('import nothing when the requested report cannot be written', async () => {
      const file = join(stored.dataDir, 'north.world')
      await stored.run(['export', 'north', file])
      const refused = await stored.run(['import', file, 'south', '--report', join(stored.dataDir, 'report.json')])
      expect(refused).toMatchObject({ exit: 2, err: expect.stringContaining('--report only works with') })
      const nowhere = join(stored.dataDir, 'nowhere', 'report.json')
      const lost = await stored.run(['import', stored.dataDir, 'south', '--report', nowhere])
      expect(lost).toMatchObject({ exit: 2, err: expect.stringContaining(nowhere) })
      expect((await stored.task.worlds.listWorlds()).map(({ name }) => name)).toEqual(['north'])
    })

    it('leave nothing behind when the file is cut, foreign or missing', async () => {
      const whole = await readFile(file)
      for (const bytes of [whole.subarray(0, whole.length - 20), Buffer.from('a text'), Buffer.alloc(0)]) {
        await writeFile(file, bytes)
        const { exit, err } = await stored.run(['import', file, 'copy'])
        expect([exit, err]).toEqual([2, expect.stringContaining('cannot be imported')])
      }
      expect((await stored.run(['import', `${file}.nowhere`, 'copy'])).err).toContain('there is no such file')
      expect([await names(), await folders()]).toEqual([['north'], ['north']])
    })

    it('leave nothing behind when they are stopped, and can run again', async () => {
      const stop = new AbortController()
      stop.abort()
      expect(await stored.run(['import', file, 'copy'], { signal: stop.signal })).toEqual({
        exit: 130,
        out: '',
        err: 'Stopped.\n',
      })
      expect([await names(), await folders()]).toEqual([['north'], ['north']])
      expect((await stored.run(['import', file, 'copy'])).exit).toBe(0)
    })

    it('do not touch foreign chunks in the folder of the new name', async () => {
      const place = join(stored.worldsDir, 'copy')
      await mkdir(place)
      await writeFile(join(place, 'data.mdb'), 'precious')
      const { exit, err } = await stored.run(['import', file, 'copy'])
      expect([exit, err]).toEqual([2, expect.stringContaining('Move their folder out')])
      expect(await readFile(join(place, 'data.mdb'), 'utf8')).toBe('precious')
      expect(await names()).toEqual(['north'])
    })

    it('export nothing of a world with a damaged column, and name it', async () => {
      const before = await readFile(file)
      await damage('north', 2, 2)
      const { exit, err } = await stored.run(['export', 'north', file])
      expect([exit, err]).toEqual([2, expect.stringMatching(/Column 2,2 of north is damaged .*--repair/)])
      expect(await readFile(file)).toEqual(before)
    })

    it('report a column of a newer version as newer, not as damaged', async () => {
      const bytes = await makeNewer('north')
      const { exit, err } = await stored.run(['export', 'north', file])
      expect([exit, err]).toEqual([2, expect.stringMatching(/Column 0,0 of north was made by a newer version/)])
      expect(err).not.toMatch(/damaged|--repair/)
      const { name, seed, generator, settings, createdAt } = await world('north')
      const header = { format: 1, name, seed, generator, settings, createdAt, chunkCount: 1 }
      await writeWorldFile(file, { header, records: Readable.from([{ cx: 0, cz: 0, bytes }]) })
      const refused = await stored.run(['import', file, 'copy'])
      expect([refused.exit, refused.err]).toEqual([2, expect.stringMatching(/column 0,0 was made by a newer version .*Update/)])
      expect([await names(), await folders()]).toEqual([['north'], ['north']])
    })

    it('report a file that cannot be written', async () => {
      expect(await stored.run(['export', 'north', join(stored.dataDir, 'nowhere', 'x')])).toMatchObject({
        exit: 2,
        err: expect.stringContaining('cannot be written'),
      })
      expect(await stored.run(['export', 'north', stored.dataDir])).toMatchObject({
        exit: 2,
        err: expect.stringContaining('folder'),
      })
    })
  })
})
