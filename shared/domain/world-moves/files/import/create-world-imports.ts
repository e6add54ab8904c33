import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../../../../kernel/clock.ts'
import { AppError } from '../../../../kernel/errors.ts'
import type { Ids } from '../../../../kernel/ids.ts'
import { codeOf } from '../../../../platform/storage/files/code-of.ts'
import { fileModeIn, folderModeAt } from '../../../../platform/storage/files/group-folder.ts'
import { expectRoomForWrite } from '../../../../platform/storage/lmdb/lmdb-room.ts'
import type { JobService } from '../../../jobs/job-service.ts'
import { badWorldFile } from '../../../worlds/export/world-file.ts'
import { uploadOfJob, type WorldImports } from '../../world-imports.ts'
import { type ImportDeps, importWorldFile } from './import-world-file.ts'
import { openStage, type StageDeps } from './open-stage.ts'
import { readWorldFile } from './read-world-file.ts'
import { refuseTaken } from './refuse-taken.ts'

export type WorldImportsDeps = Omit<StageDeps, 'ids'> &
  Required<Pick<ImportDeps, 'createRegistry' | 'moduleStates' | 'pause'>> & {
    readonly jobs: Pick<JobService, 'listOpen'>
    readonly clock: Clock
    readonly ids: Ids
  }

/** No world can have this name. Backups and exports do not read it. */
const uploadsFolder = '.uploads'
/** The end of the name of a file that is still being written. */
const partEnd = '.part'
/** Disk space that stays free besides an upload. */
const roomKeptBytes = 64 * 2 ** 20
const abandonedMs = 120_000

const full = (cause: unknown): AppError =>
  new AppError('unavailable', 'storage-full', 'The disk of the server is full. Nothing was stored. Free some space first.', {
    cause,
  })

/** Throws for a file that is not compressed with gzip. A packed Minecraft world gets an explanation. */
const refuseForeign = (start: Uint8Array): void => {
  if (start[0] === 0x50 && start[1] === 0x4b)
    throw badWorldFile(
      'it is a zip file. A Minecraft world is a folder: unpack it on the machine of the server, and run npm run world -- import FOLDER NAME.',
    )
  if (start[0] !== 0x1f || start[1] !== 0x8b) throw badWorldFile('it is not a world that Gatehouse exported.')
}

/** Uploads in `worlds/.uploads`, and their import. */
export const createWorldImports = (deps: WorldImportsDeps): WorldImports => {
  const { worldsDir, clock, ids, jobs, createRegistry, moduleStates, pause } = deps
  const folder = join(worldsDir, uploadsFolder)
  const pathOf = (id: string) => join(folder, id)
  const remove = (name: string) => rm(join(folder, name), { force: true })

  const write = async (path: string, pieces: AsyncIterable<Uint8Array>): Promise<number> => {
    await mkdir(folder, { recursive: true, mode: folderModeAt(folder) })
    const file = await open(path, 'wx', fileModeIn(folder))
    let sizeBytes = 0
    try {
      for await (const piece of pieces) {
        if (sizeBytes === 0) refuseForeign(piece)
        expectRoomForWrite(folder, piece.length, roomKeptBytes)
        await file.writeFile(piece)
        sizeBytes += piece.length
      }
      await file.datasync()
      return sizeBytes
    } finally {
      await file.close()
    }
  }

  return {
    expectFree: (name) => refuseTaken(deps, name),
    receive: async (pieces) => {
      const id = ids.uuid()
      const part = `${id}${partEnd}`
      try {
        const sizeBytes = await write(pathOf(part), pieces)
        const { close } = await readWorldFile(pathOf(part))
        close()
        await rename(pathOf(part), pathOf(id))
        return { id, sizeBytes }
      } catch (error) {
        await remove(part)
        throw ['ENOSPC', 'EDQUOT'].includes(String(codeOf(error))) ? full(error) : error
      }
    },
    discard: remove,
    run: async ({ upload, name, actor }, { signal, tell }) => {
      let total = 0
      let columns = 0
      let isKept = false
      try {
        return await importWorldFile(
          {
            openStage: (wanted) => openStage(deps, wanted),
            createRegistry,
            moduleStates,
            signal,
            pause,
            onBegin: (count) => {
              total = count
            },
            onColumn: () => {
              columns += 1
              tell({
                progress: Math.min(1, columns / Math.max(1, total)),
                detail: `${columns} of ${total} chunks of "${name}" are imported.`,
              })
            },
          },
          { path: pathOf(upload), name, actor },
        )
      } catch (error) {
        // A stopping server continues the job at its next start. If the job was cancelled, `sweep` deletes the upload.
        isKept = signal.aborted
        throw error
      } finally {
        if (!isKept) await remove(upload)
      }
    },
    sweep: async () => {
      const names = await readdir(folder).catch(() => [])
      if (names.length === 0) return
      const needed = (await jobs.listOpen('data')).map(({ input }) => uploadOfJob(input))
      for (const name of names) {
        if (needed.includes(name)) continue
        const found = await stat(join(folder, name)).catch(() => undefined)
        if (found !== undefined && clock.now() - found.mtimeMs >= abandonedMs) await remove(name)
      }
    },
  }
}
