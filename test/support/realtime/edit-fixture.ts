import type { FrameKind, ServerMessageKind } from '../../../realtime/protocol/messages.ts'
import { createEditJournal, type EditJournalDeps } from '../../../realtime/world/edits/edit-journal.ts'
import { type ColumnViewer, createTellChanges } from '../../../realtime/world/edits/tell-changes.ts'
import { createWorldEdits, type EditActor, type WorldEditsDeps } from '../../../realtime/world/edits/world-edits.ts'
import { type ChunkWriterDeps, createChunkWriter } from '../../../realtime/world/writing/chunk-writer.ts'
import { createMemoryChunkStore } from '../../../shared/domain/worlds/store/chunk-store-memory.ts'
import type { Point } from '../../../shared/rules/movement/reach.ts'
import { chunkCoordinate } from '../../../shared/rules/positions.ts'
import { createFixedClock } from '../time/fixed-clock.ts'
import { silentLog } from '../time/silent-log.ts'
import { type Blocks, blocksOf, createColumnsInMemory, createTestRegistry, testWorld } from '../worlds/columns-in-memory.ts'
import { createFaultyChunkStore } from '../worlds/faulty-chunk-store.ts'
import { readMessages } from './split-frames.ts'

export type EditAnswer = {
  readonly seq: number
  readonly ok: boolean
  readonly reason: string
  readonly index?: number | undefined
}

/** A player who edits, with all their EditResults. */
export type TestActor = EditActor & { readonly answers: EditAnswer[] }

/** A client with these columns that applies BlocksChanged to them. */
export type TestViewer = ColumnViewer & {
  readonly columns: ReadonlySet<string>
  readonly blocks: Blocks
  readonly told: { by: string; edits: readonly { x: number; y: number; z: number; type: string }[] }[]
  writes: number
}

export type EditFixtureOptions = Partial<Pick<WorldEditsDeps<TestActor>, 'holds' | 'guard'>> &
  Pick<EditJournalDeps, 'limits'> & { readonly writer?: Partial<ChunkWriterDeps> }

/** Edits of players on real parts in memory, with manual ticks. The world is empty; columns 0,0 to 1,1 are loaded. */
export const createEditFixture = ({ limits, writer: writerDeps, ...rules }: EditFixtureOptions = {}) => {
  const clock = createFixedClock()
  const registry = createTestRegistry()
  const loaded = createColumnsInMemory()
  const chunks = createFaultyChunkStore(createMemoryChunkStore())
  const writer = createChunkWriter({ chunks, world: testWorld, fence: 1, registry, log: silentLog, ...writerDeps })
  const players: TestActor[] = []
  const viewers: TestViewer[] = []
  for (const [cx, cz] of [
    [0, 0],
    [0, 1],
    [1, 0],
    [1, 1],
  ] as const)
    loaded.add(cx, cz)
  const viewersOf = (cx: number, cz: number) => viewers.filter(({ columns }) => columns.has(`${cx} ${cz}`))
  const journal = createEditJournal({
    loaded,
    registry,
    writer,
    tell: createTellChanges({ viewersOf, registry }),
    nowMs: clock.monotonic,
    ...(limits === undefined ? {} : { limits }),
  })
  const edits = createWorldEdits<TestActor>({
    loaded,
    registry,
    journal,
    playersNear: () => players.map(({ body }) => body),
    holds: () => true,
    ...rules,
  })

  return {
    clock,
    registry,
    loaded,
    chunks,
    writer,
    journal,
    edits,
    /** Adds a player with the given feet, by default in the air in the middle of the four columns. */
    join: (playerId: string, feet: Point = { x: 16.5, y: 64, z: 16.5 }): TestActor => {
      const answers: EditAnswer[] = []
      const send = (message: ServerMessageKind): void => {
        if (message.$case === 'editResult') answers.push(message.value)
      }
      const actor = { body: { ...feet, playerId }, connection: { send }, takeovers: 0, answers }
      players.push(actor)
      return actor
    },
    watch: (columns: readonly string[] = ['0 0', '0 1', '1 0', '1 1'], kind: FrameKind = 'binary'): TestViewer => {
      const viewer: TestViewer = {
        kind,
        columns: new Set(columns),
        blocks: new Map(),
        told: [],
        writes: 0,
        sendFrame: (frame) => {
          viewer.writes += 1
          for (const message of readMessages(frame)) {
            if (message.$case !== 'blocksChanged') throw new Error(`received ${message.$case}`)
            viewer.told.push(message.value)
            for (const { x, y, z, type } of message.value.edits) {
              if (!viewer.columns.has(`${chunkCoordinate(x)} ${chunkCoordinate(z)}`))
                throw new Error('received a block of another column')
              if (type === 'air') viewer.blocks.delete(`${x} ${y} ${z}`)
              else viewer.blocks.set(`${x} ${y} ${z}`, type)
            }
          }
          return 'written'
        },
      }
      viewers.push(viewer)
      return viewer
    },
    tick: (milliseconds = 50): void => {
      clock.advance(milliseconds)
      edits.step()
    },
    memory: (): Blocks =>
      blocksOf(
        Array.from(loaded.all(), ({ chunk }) => chunk),
        registry,
      ),
    place: (actor: TestActor, seq: number, ...blocks: readonly (readonly [number, number, number, string?])[]): void =>
      edits.edit(actor, { seq, edits: blocks.map(([x, y, z, type = 'stone']) => ({ x, y, z, type })) }),
  }
}

export type EditFixture = ReturnType<typeof createEditFixture>
