import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { type Child, startChild, type Variables } from '../../e2e/support/child.ts'
import type { BuiltImage } from './image-build.ts'

/** The privileges of an image's user: none of root's. */
const asNobody = ['setpriv', '--reuid=10001', '--regid=10001', '--clear-groups', '--no-new-privs', '--bounding-set=-all']

const canBeNobody = process.getuid?.() === 0 && spawnSync('setpriv', [...asNobody.slice(1), process.execPath, '-v']).status === 0

/** Replaces the program of a command by the one on this machine. */
const localise = ([program = '', ...words]: readonly string[]): readonly string[] => [
  program === 'node' ? process.execPath : program,
  ...words,
]

const startIn = (image: BuiltImage, words: readonly string[], variables: Variables): Child => {
  const command = [...(canBeNobody ? asNobody : []), ...localise(words)]
  const { DATA_DIR = '', HOME = '' } = image.environment
  const here = { DATA_DIR: join(image.root, DATA_DIR), HOME: join(image.root, HOME) }
  // It must be reachable from this machine only, and a read-only file system has no folder for temporary files.
  const environment = { ...image.environment, ...here, HOST: '127.0.0.1', TMPDIR: join(image.root, 'tmp') }
  return startChild('/bin/sh', ['-c', 'cd "$0" && exec "$@"', join(image.root, image.workdir), ...command], {
    ...environment,
    ...variables,
  })
}

/** Starts an image's program as a container's process, by its ENTRYPOINT, its CMD or `command`, and its ENV. */
export const startContainer = (image: BuiltImage, variables: Variables, command: readonly string[] = image.command): Child =>
  startIn(image, [...image.entrypoint, ...command], variables)

/** Runs a health check as the engine does: the image's own, or the given one. 0 is healthy. */
export const checkHealth = async (
  image: BuiltImage,
  variables: Variables,
  check: readonly string[] = image.healthCheck,
): Promise<number | string> => startIn(image, check, variables).ended
