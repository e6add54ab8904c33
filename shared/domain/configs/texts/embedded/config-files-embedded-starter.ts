import { chmod, mkdtemp, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { replaceFile } from '../../../../platform/storage/files/atomic-file.ts'
import { folderModeAt } from '../../../../platform/storage/files/group-folder.ts'
import { syncPath } from '../../../../platform/storage/files/move-folder.ts'

/** Entries of a data folder that is in use or was prepared by a person. */
const signsOfUse = ['config', 'records', 'worlds']

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )

/**
 * Copies the files of `starterDir` into a new data folder as its `config`, all or none. Call it before anything else is stored there.
 * If several processes do so at once, one succeeds and the others use its result.
 */
export const furnishFreshFolder = async (dataDir: string, starterDir: string): Promise<void> => {
  const present = await readdir(dataDir)
  if (signsOfUse.some((name) => present.includes(name))) return
  const [configDir, made] = [join(dataDir, 'config'), await mkdtemp(join(dataDir, '.config-'))]
  try {
    await chmod(made, ((await stat(made)).mode & 0o7000) | folderModeAt(made))
    for (const name of await readdir(starterDir)) await replaceFile(join(made, name), await readFile(join(starterDir, name)))
    await rename(made, configDir)
    // Sync, so that a crash of the machine cannot leave records without their `config`.
    await syncPath(dataDir)
  } catch (error) {
    // A folder with files is never replaced: another process was first.
    if (!(await isThere(configDir))) throw error
  } finally {
    await rm(made, { recursive: true, force: true })
  }
}
