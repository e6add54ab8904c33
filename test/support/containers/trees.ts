import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/**
 * Copies a folder with modes and links to a new path. Both share the same read-only files: copies of all packages cost more than
 * a build.
 */
export const copyTree = async (from: string, to: string): Promise<void> => {
  await run('cp', ['-al', from, to])
}

/** Removes a folder. For the tens of thousands of files of all packages, Node's own `rm` takes several times as long. */
export const removeTree = async (folder: string): Promise<void> => {
  await run('rm', ['-rf', folder])
}
