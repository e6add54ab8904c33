import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import type { ConfigFiles } from '../../shared/domain/configs/texts/config-files.ts'
import type { Clock } from '../../shared/kernel/clock.ts'
import { type Ids, systemIds } from '../../shared/kernel/ids.ts'
import { createFixedClock, type FixedClock } from '../support/time/fixed-clock.ts'
import { type ContractOptions, itUnless } from './brief.ts'

export type ConfigFilesDeps = { readonly bundled: Readonly<Record<string, string>>; readonly clock: Clock; readonly ids: Ids }

const bundled = { 'groups.yaml': '# shipped: é\n', 'skills/attacks.yaml': 'attacks: {}\n' }
const unknownNames = [
  ...['../users.yaml', 'config/../../users.yaml', '/etc/hosts', 'groups.yaml\0', 'groups.yaml/', 'groups', '', '.yaml'],
  ...['a\\b.yaml', 'other.yaml', 'users.yaml', 'GROUPS.yaml', 'skills', 'skills//attacks.yaml', '__proto__', 'toString'],
]

/** What every ConfigFiles promises; `open` gives one in which nothing was saved yet. */
export const describeConfigFiles = (
  name: string,
  open: (deps: ConfigFilesDeps) => Promise<{ files: ConfigFiles; dispose: () => Promise<void> }>,
  { isBrief = false }: ContractOptions = {},
): void => {
  const also = itUnless(isBrief)
  describe(`the config files ${name}`, () => {
    let files: ConfigFiles
    let dispose: () => Promise<void>
    let clock: FixedClock
    const save = (text: string, savedBy = 'ann@example.com', ifEtag?: string) => {
      clock.advance(1000)
      return files.write('groups.yaml', text, { savedBy, ...(ifEtag !== undefined && { ifEtag }) })
    }
    const read = () => files.read('groups.yaml')
    const listTexts = async (of = 'groups.yaml') => {
      const revisions = await files.revisions(of)
      return Promise.all(revisions.map(({ revision }) => files.findRevision(of, revision)))
    }

    beforeEach(async () => {
      clock = createFixedClock()
      ;({ files, dispose } = await open({ bundled, clock, ids: systemIds }))
    })
    afterEach(() => dispose())

    describe('reading', () => {
      it('reads the bundled text of a file that nobody saved', async () => {
        expect(await read()).toEqual({ text: '# shipped: é\n', etag: expect.any(String), source: 'default' })
        expect(await files.revisions('groups.yaml')).toEqual([])
      })

      it('reads what was saved, and nothing else of it', async () => {
        const { etag } = await save('groups: []\n')
        expect(await read()).toEqual({ text: 'groups: []\n', etag, source: 'data' })
        expect(await files.read('skills/attacks.yaml')).toMatchObject({ text: 'attacks: {}\n', source: 'default' })
      })

      also('names the author and time of the active text, and none for the bundled text', async () => {
        expect(await files.findOrigin('groups.yaml')).toBeUndefined()
        await save('groups: []\n')
        const savedAt = new Date(clock.now()).toISOString()
        expect(await files.findOrigin('groups.yaml')).toEqual({ savedAt, savedBy: 'ann@example.com' })
        await save('groups: [] # 2\n', 'bob@example.com')
        expect(await files.findOrigin('groups.yaml')).toMatchObject({ savedBy: 'bob@example.com' })
      })

      it('gives a tag that differs whenever the text does, and is the same when it is again', async () => {
        const etags = [(await read()).etag]
        for (const text of ['a', 'b', 'a', bundled['groups.yaml']]) etags.push((await save(text)).etag)
        expect(etags[1]).toBe(etags[3])
        expect(etags[0]).toBe(etags[4])
        expect(new Set(etags).size).toBe(3)
      })

      also.each(unknownNames)('knows no file named %j, whatever is asked of it', async (unknown) => {
        const notFound = { kind: 'not-found', slug: 'not-found' }
        await expect(files.read(unknown)).rejects.toMatchObject(notFound)
        await expect(files.write(unknown, 'x', { savedBy: 'a@x.y' })).rejects.toMatchObject(notFound)
        await expect(files.revisions(unknown)).rejects.toMatchObject(notFound)
        await expect(files.findOrigin(unknown)).rejects.toMatchObject(notFound)
        expect(await files.findRevision(unknown, systemIds.uuid())).toBeUndefined()
      })
    })

    describe('saving', () => {
      also.each([
        ['Windows line ends', 'a: 1\r\nb: 2\r\n'],
        ['a byte order mark', '\uFEFFa: 1\n'],
        ['no line end', 'a: 1'],
        ['nothing', ''],
        ['NUL and other control characters', 'a: \0\u0001\u007f\n'],
        ['every plane of Unicode', 'é 日本 😀 \u{10ffff}\n'],
      ])('keeps a text with %s to the byte, in force and as a revision', async (_, text) => {
        await save(text)
        expect((await read()).text).toBe(text)
        await save('other')
        expect((await listTexts())[0]).toBe(text)
      })

      it('keeps 1 MiB that cannot be compressed, and refuses a byte more, which changes nothing', async () => {
        const text = Array.from({ length: 30_000 }, () => systemIds.secret())
          .join('')
          .slice(0, 1_048_576)
        await save(text)
        await expect(save(`${text}x`)).rejects.toMatchObject({ kind: 'too-large', slug: 'body-too-large' })
        await expect(save('é'.repeat(524_289))).rejects.toMatchObject({ kind: 'too-large' })
        expect((await read()).text).toBe(text)
        await save('small')
        expect((await listTexts())[0]).toBe(text)
      })

      also('makes no revision of a save that changes nothing, that of the bundled text included', async () => {
        await save(bundled['groups.yaml'])
        expect(await read()).toMatchObject({ source: 'default' })
        const { etag } = await save('a')
        expect(await save('a', 'bob@example.com')).toEqual({ etag })
        expect(await listTexts()).toEqual([bundled['groups.yaml']])
      })

      it('saves with the tag that is in force, and refuses another, which changes nothing', async () => {
        const { etag } = await read()
        await save('a', 'ann@example.com', etag)
        const refused = save('b', 'bob@example.com', etag)
        await expect(refused).rejects.toMatchObject({ kind: 'stale', slug: 'stale' })
        await expect(save('a', 'bob@example.com', 'x')).rejects.toMatchObject({ kind: 'stale' })
        expect((await read()).text).toBe('a')
        expect(await listTexts()).toEqual([bundled['groups.yaml']])
      })

      it('lets exactly one of many save that hold the same tag', async () => {
        const { etag } = await read()
        const saves = Array.from({ length: 12 }, (_, at) => save(`text ${at}`, `admin${at}@x.y`, etag))
        const results = await Promise.allSettled(saves)
        const won = results.flatMap(({ status }, at) => (status === 'fulfilled' ? [at] : []))
        expect(won).toHaveLength(1)
        for (const result of results)
          if (result.status === 'rejected') expect(result.reason).toMatchObject({ kind: 'stale', slug: 'stale' })
        expect((await read()).text).toBe(`text ${won[0]}`)
        expect(await listTexts()).toEqual([bundled['groups.yaml']])
      })

      it('loses no text of many that are saved at once without a tag', async () => {
        const texts = Array.from({ length: 10 }, (_, at) => `text ${at}`)
        await Promise.all(texts.map((text) => save(text)))
        const kept = [(await read()).text, ...(await listTexts())]
        expect(kept.toSorted()).toEqual([bundled['groups.yaml'], ...texts].toSorted())
      })
    })

    describe('revisions', () => {
      it('says of each earlier text when it was saved and by whom, newest first', async () => {
        for (const [text, savedBy] of [
          ['a', 'ann@x.y'],
          ['b', 'bob@x.y'],
          ['c', 'cid@x.y'],
        ] as const)
          await save(text, savedBy)
        expect(await listTexts()).toEqual(['b', 'a', bundled['groups.yaml']])
        const revision = expect.stringMatching(/^[\x21-\x7e]{1,64}$/)
        expect(await files.revisions('groups.yaml')).toEqual([
          { revision, savedAt: '2026-01-01T00:00:02.000Z', savedBy: 'bob@x.y' },
          { revision, savedAt: '2026-01-01T00:00:01.000Z', savedBy: 'ann@x.y' },
          { revision, savedAt: '2026-01-01T00:00:01.000Z', savedBy: 'default' },
        ])
      })

      it('keeps the last twenty, whole, and takes the older away', async () => {
        const texts = Array.from({ length: 26 }, (_, at) => `text ${at}\n${'# é\n'.repeat(at * 100)}`)
        const seen = new Set<string>()
        for (const text of texts) {
          await save(text)
          for (const { revision } of await files.revisions('groups.yaml')) seen.add(revision)
        }
        expect(await listTexts()).toEqual(texts.slice(5, 25).reverse())
        const found = await Promise.all([...seen].map((revision) => files.findRevision('groups.yaml', revision)))
        expect(found.filter((text) => text !== undefined)).toHaveLength(20)
      })

      also('takes an earlier text that is saved again for a new one', async () => {
        for (const text of ['a', 'b', 'a', 'b']) await save(text)
        expect(await listTexts()).toEqual(['a', 'b', 'a', bundled['groups.yaml']])
      })

      it('keeps those of each file apart', async () => {
        await save('a')
        await files.write('skills/attacks.yaml', 'b', { savedBy: 'ann@x.y' })
        const [revision] = await files.revisions('skills/attacks.yaml')
        expect(await listTexts('skills/attacks.yaml')).toEqual(['attacks: {}\n'])
        expect(await files.findRevision('groups.yaml', revision?.revision ?? '')).toBeUndefined()
      })

      also.each(['', 'x', '../groups.yaml', '\0', 'x'.repeat(10_000), '%'])('finds none named %j', async (revision) => {
        await save('a')
        expect(await files.findRevision('groups.yaml', revision)).toBeUndefined()
      })
    })
  })
}
