import { Session } from 'node:inspector/promises'
import { setTimeout as pause } from 'node:timers/promises'
import type { ProfileFile } from '../../shared/domain/modules/module-source.ts'
import { AppError } from '../../shared/kernel/errors.ts'
import type { Log } from '../../shared/kernel/log.ts'

/** Profiles of the node's thread. Modules run on it, so a profile shows their functions beside those of the server. */
export type Profiler = {
  /**
   * Starts a profile and resolves to the path of its file, which is written after `durationMs`. Throws AppError `conflict` while
   * another one runs.
   */
  start(name: string, durationMs: number): Promise<string>
}

export const createProfiler = (openFile: (name: string) => Promise<ProfileFile>, log: Log): Profiler => {
  let isBusy = false

  const record = async (session: Session, durationMs: number, file: ProfileFile): Promise<void> => {
    await pause(durationMs, undefined, { ref: false })
    const { profile } = await session.post('Profiler.stop')
    await file.write(JSON.stringify(profile))
    log.info({ file: file.path }, 'a profile was written')
  }

  return {
    start: async (name, durationMs) => {
      if (isBusy) throw new AppError('conflict', 'conflict', 'Another profile is running. Try again when it has ended.')
      isBusy = true
      const session = new Session()
      const end = (): void => {
        session.disconnect()
        isBusy = false
      }
      try {
        const file = await openFile(name)
        session.connect()
        await session.post('Profiler.enable')
        await session.post('Profiler.start')
        void record(session, durationMs, file)
          .catch((error: unknown) => log.error({ err: error, file: file.path }, 'a profile could not be written'))
          .finally(end)
        return file.path
      } catch (error) {
        end()
        throw error
      }
    },
  }
}
