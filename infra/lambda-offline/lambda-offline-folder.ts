import { existsSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'

const build = resolve(import.meta.dirname, '../../.build')
const prefix = 'lambdas-local-'

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** Deletes the bundles of killed runs. */
const removeLeft = async (): Promise<void> => {
  const names = existsSync(build) ? await readdir(build) : []
  const left = names.filter((name) => name.startsWith(prefix) && !isRunning(Number(name.slice(prefix.length))))
  for (const name of left) await rm(join(build, name), { recursive: true, force: true })
}

/**
 * A separate folder for the bundles of this run, because several may run at once. `name` is relative to the project, as in
 * serverless.yml.
 */
export const createBundleFolder = async () => {
  await removeLeft()
  const path = join(build, `${prefix}${process.pid}`)
  return { path, name: `.build/${prefix}${process.pid}`, remove: () => rm(path, { recursive: true, force: true }) }
}
