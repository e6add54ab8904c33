import { chmod, mkdtemp, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { replaceFile } from '../../../../platform/storage/files/atomic-file.ts'
import { folderModeAt } from '../../../../platform/storage/files/group-folder.ts'
import { syncPath } from '../../../../platform/storage/files/move-folder.ts'

/** What a data folder has once something was kept in it, or somebody has prepared it. */
const signsOfUse = ['config', 'records', 'worlds']

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )

/**
 * Gives a new data folder the files of `starterDir` as its `config`, all of them or none. To be called before anything else is kept
 * there. Of several processes that do it at once one succeeds, and the others find what it made.
 */
export const furnishFreshFolder = async (dataDir: string, starterDir: string): Promise<void> => {
  const present = await readdir(dataDir)
  if (signsOfUse.some((name) => present.includes(name))) return
  const [configDir, made] = [join(dataDir, 'config'), await mkdtemp(join(dataDir, '.config-'))]
  try {
    await chmod(made, ((await stat(made)).mode & 0o7000) | folderModeAt(made))
    for (const name of await readdir(starterDir)) await replaceFile(join(made, name), await readFile(join(starterDir, name)))
    await rename(made, configDir)
    // So that no crash of the machine leaves records beside a `config` that is gone.
    await syncPath(dataDir)
  } catch (error) {
    // A folder with files in it is never replaced: somebody else was first.
    if (!(await isThere(configDir))) throw error
  } finally {
    await rm(made, { recursive: true, force: true })
  }
}
