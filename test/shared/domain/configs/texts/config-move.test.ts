import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import type { ConfigFiles } from '../../../../../shared/domain/configs/texts/config-files.ts'
import { createRevisionLog } from '../../../../../shared/domain/configs/texts/config-files-revisions.ts'
import { createStoreConfigFiles } from '../../../../../shared/domain/configs/texts/config-files-store.ts'
import { createStoreConfigTarget } from '../../../../../shared/domain/configs/texts/config-files-store-move.ts'
import type { ConfigTarget } from '../../../../../shared/domain/configs/texts/config-move.ts'
import { createEmbeddedConfigFiles } from '../../../../../shared/domain/configs/texts/embedded/config-files-embedded.ts'
import { createEmbeddedConfigTarget } from '../../../../../shared/domain/configs/texts/embedded/config-files-embedded-move.ts'
import { systemIds } from '../../../../../shared/kernel/ids.ts'
import { createMemoryStore } from '../../../../../shared/platform/storage/memory-store.ts'
import type { Store } from '../../../../../shared/platform/storage/store.ts'
import { createTempDir } from '../../../../support/processes/temp-dir.ts'
import { createFixedClock } from '../../../../support/time/fixed-clock.ts'

const name = 'server.yaml'
const bundled = 'bundled: true\n'

type Side = { readonly store: Store; readonly files: ConfigFiles; readonly move: ConfigTarget }

describe('moved config texts', () => {
  let folder: { path: string; remove: () => Promise<void> }
  let own: string
  const clock = createFixedClock()
  beforeEach(async () => {
    folder = await createTempDir()
    own = join(folder.path, 'data', 'config', name)
    await mkdir(join(folder.path, 'bundled'), { recursive: true })
    await writeFile(join(folder.path, 'bundled', name), bundled)
  })
  afterEach(() => folder.remove())

  const openEmbedded = (): Side => {
    const store = createMemoryStore()
    const [dataDir, bundledDir] = [join(folder.path, 'data'), join(folder.path, 'bundled')]
    const revisionLog = createRevisionLog(store, systemIds)
    return {
      store,
      files: createEmbeddedConfigFiles({ dataDir, bundledDir, store, clock, ids: systemIds }),
      move: createEmbeddedConfigTarget({ configDir: join(dataDir, 'config'), bundledDir, revisionLog }),
    }
  }
  const openStored = (): Side => {
    const store = createMemoryStore()
    const readBundled = async (asked: string) => (asked === name ? bundled : undefined)
    return {
      store,
      files: createStoreConfigFiles({ store, readBundled, clock, ids: systemIds }),
      move: createStoreConfigTarget({ revisionLog: createRevisionLog(store, systemIds), readBundled, clock }),
    }
  }

  /** Copies as the migration does: the revisions, then the active text, twice, as after a kill. */
  const move = async (from: Side, to: Side) => {
    for (const collection of ['config-revisions', 'config-revision-texts']) {
      const raw = { name: collection, parse: (stored: unknown) => stored }
      for (const { id, value } of (await from.store.list(raw)).records) await to.store.put(raw, id, value)
    }
    for (let time = 0; time < 2; time += 1) await to.move.putInForce(name, await from.move.findInForce(name))
  }
  const look = async ({ files, move }: Side) => {
    const revisions = await files.revisions(name)
    return {
      text: await files.read(name),
      revisions,
      texts: await Promise.all(revisions.map(({ revision }) => files.findRevision(name, revision))),
      inForce: await move.findInForce(name),
      earlier: (await move.listEarlier(name)).map(({ revision }) => revision),
    }
  }
  const save = async ({ files }: Side, text: string) => {
    clock.advance(1000)
    await files.write(name, text, { savedBy: 'somebody@example.com' })
  }

  const cases: Record<string, (embedded: Side) => Promise<void>> = {
    'nothing was ever saved': async () => undefined,
    'texts were saved': async (embedded) => {
      for (const text of ['one', 'two', 'three']) await save(embedded, text)
    },
    'a text was edited by hand': async (embedded) => {
      await save(embedded, 'one')
      await writeFile(own, '\ufeffby hand\r\n')
    },
    'an earlier text was put back by hand': async (embedded) => {
      for (const text of ['one', 'two', 'three']) await save(embedded, text)
      await writeFile(own, 'two')
    },
    'the file was never saved, only written by hand': async () => {
      await mkdir(join(folder.path, 'data', 'config'), { recursive: true })
      await writeFile(own, 'by hand')
    },
    'the file is the bundled text': async (embedded) => {
      await save(embedded, 'one')
      await writeFile(own, bundled)
    },
    'the file was taken away': async (embedded) => {
      for (const text of ['one', 'two']) await save(embedded, text)
      await rm(own)
    },
    'more texts were saved than are kept': async (embedded) => {
      for (let n = 0; n < 25; n += 1) await save(embedded, `text ${n}`)
    },
    'more texts were saved than are kept, and another written by hand': async (embedded) => {
      for (let n = 0; n < 25; n += 1) await save(embedded, `text ${n}`)
      await writeFile(own, 'by hand')
    },
  }

  it.each(Object.entries(cases))('are the same there and back when %s', async (_case, prepare) => {
    const embedded = openEmbedded()
    await prepare(embedded)
    const before = await look(embedded)
    const stored = openStored()
    await move(embedded, stored)
    expect(await look(stored)).toEqual(before)

    const file = await readFile(own).catch(() => undefined)
    await rm(join(folder.path, 'data'), { recursive: true, force: true })
    const returned = openEmbedded()
    await move(stored, returned)
    expect(await look(returned)).toEqual(before)
    expect(await readFile(own).catch(() => undefined)).toEqual(file)
  })

  it('can be saved as before', async () => {
    const embedded = openEmbedded()
    for (const text of ['one', 'two']) await save(embedded, text)
    await rm(own)
    const stored = openStored()
    await move(embedded, stored)
    await save(stored, 'three')
    expect((await stored.files.read(name)).text).toBe('three')
    expect((await stored.files.revisions(name)).map(({ savedBy }) => savedBy)).toContain('default')
  })
})
