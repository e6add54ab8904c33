import { describe, expect, it } from '@jest/globals'
import { type BuildRefusal, createBuilder } from '../../../play/game/builder.ts'
import type { BlockEdit, BlockType, EditResult } from '../../../sdk/client.ts'
import type { BlockCache } from '../../../sdk/world.ts'

const kinds: readonly BlockType[] = ['air', 'stone', 'wool'].map((id, index) => ({ index, id, colour: 0, solid: index > 0 }))
/** Looks down at the floor ahead. */
const here = { x: 0.5, y: 1, z: 0.5, yaw: 0, pitch: -60 }

const createScene = () => {
  const blocks = new Map<string, string>()
  const answers: ((answer: EditResult | Error) => Promise<void>)[] = []
  const refusals: BuildRefusal[] = []
  const idAt = (x: number, y: number, z: number): string => blocks.get(`${x} ${y} ${z}`) ?? (y === 0 ? 'stone' : 'air')
  const show = (edits: readonly BlockEdit[]): void => {
    for (const { x, y, z, type } of edits) blocks.set(`${x} ${y} ${z}`, type)
  }
  const builder = createBuilder({
    blocks: {
      blockAt: (x: number, y: number, z: number) => kinds.find(({ id }) => id === idAt(x, y, z)),
      placeable: () => kinds,
    } as unknown as BlockCache,
    edit: () =>
      new Promise((resolve, reject) => {
        answers.push(async (answer) => {
          if (answer instanceof Error) reject(answer)
          else resolve(answer)
          await new Promise((done) => setImmediate(done))
        })
      }),
    show,
    onRefused: (refusal) => refusals.push(refusal),
    isFluid: () => false,
  })
  const target = builder.findTarget(here)
  if (target === undefined) throw new Error('nothing is looked at')
  const { before, block } = target
  return {
    builder,
    refusals,
    before,
    idBefore: () => idAt(before.x, before.y, before.z),
    idThere: () => idAt(block.x, block.y, block.z),
    /** Reports changes from the server. */
    hear: (edits: readonly BlockEdit[]) => {
      show(edits)
      builder.noteChanged(edits)
    },
    answer: (answer: EditResult | Error) => answers.shift()?.(answer),
  }
}

const done = { ok: true, reason: '' } as EditResult
const refused = { ok: false, reason: 'missing-permission: world.build' } as EditResult

describe('an edit in the game', () => {
  it('reaches blocks in range only, to target, place or break', async () => {
    const { builder, idBefore, idThere } = createScene()
    const down = { ...here, pitch: -90 }
    expect(builder.findTarget({ ...down, y: 6 })).toBeDefined()
    const tooHigh = { ...down, y: 8 }
    expect(builder.findTarget(tooHigh)).toBeUndefined()
    expect(builder.place(tooHigh, 'wool')).toBe(false)
    builder.remove(tooHigh)
    expect([idBefore(), idThere()]).toEqual(['air', 'stone'])
  })

  it('is visible before the server has answered, and stays when it is accepted', async () => {
    const { builder, idBefore, answer, refusals } = createScene()
    expect(builder.place(here, 'wool')).toBe(true)
    expect(idBefore()).toBe('wool')
    await answer(done)
    expect(idBefore()).toBe('wool')
    expect(refusals).toEqual([])
  })

  it('is reverted with the words of the module that refuses it', async () => {
    const { builder, answer, refusals } = createScene()
    builder.remove(here)
    const refusedBy = { module: 'spawn', text: 'Keep: the spawn.' }
    await answer({ ok: false, reason: 'module-rules: spawn: Keep: the spawn.', refusedBy } as EditResult)
    expect(refusals).toMatchObject([{ reason: 'module-rules', detail: 'Keep: the spawn.' }])
  })

  it('is reverted with a reason when it is refused or never answered', async () => {
    const { builder, idThere, idBefore, answer, refusals } = createScene()
    builder.remove(here)
    expect(idThere()).toBe('air')
    await answer(refused)
    expect(idThere()).toBe('stone')
    builder.place(here, 'wool')
    await answer(new Error('lost'))
    expect(idBefore()).toBe('air')
    expect(refusals).toEqual([
      { reason: 'missing-permission', detail: 'world.build', explain: undefined },
      { reason: 'lost', detail: 'lost' },
    ])
  })

  it('leaves no ghost and no hole when a placement and a break are both refused', async () => {
    const { builder, idBefore, answer } = createScene()
    builder.place(here, 'wool')
    builder.remove(here)
    expect(idBefore()).toBe('air')
    await answer(refused)
    await answer(refused)
    expect(idBefore()).toBe('air')
  })

  it('shows the last accepted state when a later edit is refused', async () => {
    const { builder, idBefore, answer } = createScene()
    builder.place(here, 'wool')
    builder.remove(here)
    await answer(done)
    await answer(refused)
    expect(idBefore()).toBe('wool')
  })

  it('is replaced by an edit of another player', async () => {
    const { builder, before, idBefore, hear, answer } = createScene()
    builder.place(here, 'wool')
    hear([{ ...before, type: 'stone' }])
    await answer(refused)
    expect(idBefore()).toBe('stone')
  })

  it('stays visible while the server reports earlier edits', async () => {
    const { builder, before, idBefore, hear, answer } = createScene()
    builder.place(here, 'wool')
    builder.remove(here)
    hear([{ ...before, type: 'wool' }])
    expect(idBefore()).toBe('air')
    await answer(done)
    hear([{ ...before, type: 'air' }])
    await answer(done)
    expect(idBefore()).toBe('air')
  })

  it('shows the state of the server when it was reported before the refusal of the last edit', async () => {
    const { builder, before, idBefore, hear, answer } = createScene()
    builder.place(here, 'wool')
    builder.remove(here)
    hear([{ ...before, type: 'wool' }])
    await answer(done)
    await answer(refused)
    expect(idBefore()).toBe('wool')
  })

  it('is replaced by an edit of another player before a late answer', async () => {
    const { builder, before, idBefore, hear, answer } = createScene()
    builder.place(here, 'wool')
    hear([{ ...before, type: 'wool' }])
    hear([{ ...before, type: 'stone' }])
    await answer(done)
    expect(idBefore()).toBe('stone')
  })

  it('does nothing for an unknown kind of block, with a message', () => {
    const { builder, refusals } = createScene()
    expect(builder.place(here, 'marzipan')).toBe(false)
    expect(refusals).toEqual([{ reason: 'unknown-block', detail: 'marzipan' }])
  })
})
