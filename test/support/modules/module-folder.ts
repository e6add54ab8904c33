import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createModuleFiles } from '../../../shared/domain/modules/files/module-files.ts'
import { createTempDir } from '../processes/temp-dir.ts'

/** A folder of modules on disk, and the sources that read it. */
export const openModuleFolder = async (files: Readonly<Record<string, string>> = {}) => {
  const folder = await createTempDir()
  const write = async (name: string, text: string): Promise<void> => {
    const path = join(folder.path, name)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, text)
  }
  for (const [name, text] of Object.entries(files)) await write(name, text)
  return {
    path: folder.path,
    write,
    sources: createModuleFiles({
      folders: [folder.path],
      profilesFolder: join(folder.path, '.profiles'),
      projectFolder: folder.path,
    }),
    remove: folder.remove,
  }
}
