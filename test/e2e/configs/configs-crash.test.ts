import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, expect, it } from '@jest/globals'
import { waitFor } from '../../support/time/wait-for.ts'
import { ask } from '../support/api.ts'
import { createConfigApi } from '../support/config-api.ts'
import { administrator, createStage } from '../support/stage.ts'

const stage = createStage()
afterAll(() => stage.close())

const rounds = 3
const revisionsKept = 20

/** 100 KB with a number, large enough to reveal a partial write. */
const textOf = (number: number): string =>
  `# Text ${number}.\n${`# ${String(number).padStart(8, '0').repeat(12)}\n`.repeat(1000)}groups: []\n`

it(`has the last confirmed save or the next one whole after ${rounds} kill -9 during saves`, async () => {
  const dataDir = await stage.createDataDir()
  const file = join(dataDir, 'config', 'groups.yaml')
  let server = await stage.start({ DATA_DIR: dataDir })
  let token = await stage.claim(server)
  let number = 0
  /** The texts of confirmed saves, oldest first. */
  const answered: string[] = []
  let configs = createConfigApi(server.url, token)

  for (let round = 0; round < rounds; round += 1) {
    const before = answered.length
    const saveWithoutEnd = async (): Promise<never> => {
      for (;;) {
        number += 1
        const { status, text } = await configs.save('groups.yaml', textOf(number))
        if (status !== 200) throw new Error(`the save answered ${status} ${text}`)
        answered.push(textOf(number))
      }
    }
    const saving = saveWithoutEnd().catch(() => undefined)
    await waitFor(() => answered.length >= before + 5)
    // Each round kills at another moment of a save.
    await pause(round * 15)
    server.signal('SIGKILL')
    expect(await server.ended).toBe('SIGKILL')
    await saving

    const stored = await readFile(file, 'utf8')
    const isLastAnswered = stored === answered.at(-1)
    expect(isLastAnswered || stored === textOf(number)).toBe(true)
    if (!isLastAnswered) answered.push(stored)

    server = await stage.start({ DATA_DIR: dataDir })
    token = await stage.signIn(server.url, administrator.email, administrator.password)
    configs = createConfigApi(server.url, token)
    expect(await configs.read('groups.yaml')).toMatchObject({ status: 200, text: stored, source: 'data' })
    expect((await ask(server.url, 'GET /readyz')).body).toMatchObject({ ready: true, warnings: [] })
    const revisions = await configs.revisions('groups.yaml')
    const earlier = await Promise.all(revisions.map((revision) => configs.readRevision('groups.yaml', revision)))
    // A text becomes a revision before it is active: a save that was killed between the two leaves an inactive revision.
    const cutOff = textOf(number)
    const isKept = stored !== cutOff && earlier[0] === cutOff
    const kept = isKept ? [cutOff] : []
    expect(revisions.length).toBe(Math.min(revisionsKept, answered.length + kept.length))
    const expected = [...kept, ...answered.slice(0, -1).reverse()].slice(0, revisionsKept)
    expect(earlier.slice(0, expected.length).map((text) => text.split('\n')[0])).toEqual(
      expected.map((text) => text.split('\n')[0]),
    )
    expect(earlier.slice(0, expected.length)).toEqual(expected)
    answered.push(...kept)
  }
  expect((await configs.save('groups.yaml', 'groups: []\n')).status).toBe(200)
}, 180_000)
