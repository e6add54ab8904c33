import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Copies a folder with rights and links, to where nothing is yet. Both have the same files, which nobody may write into: copies of all packages cost more than a build. */
export const copyTree = async (from: string, to: string): Promise<void> => {
  await run('cp', ['-al', from, to])
}

/** Removes a folder. Of the tens of thousands of files of all packages, `rm` of Node's own takes several times as long. */
export const removeTree = async (folder: string): Promise<void> => {
  await run('rm', ['-rf', folder])
}
