import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, chown, cp, mkdir, readdir, readFile, symlink } from 'node:fs/promises'
import { dirname, join, posix } from 'node:path'
import { promisify } from 'node:util'
import { Env, type Instruction, Workdir } from 'dockerfile-ast'
import { createTempDir } from '../processes/temp-dir.ts'
import { findInstruction, flagOf, parseStages, projectRoot, readDockerfile, readExecForm, type Stage } from './dockerfile.ts'
import type { ImageLayers } from './image-layers.ts'
import { linkPackages, removeTree } from './trees.ts'

const run = promisify(execFile)

/** The start of CI runs `npm ci` on the same lock file. */
const installation = 'npm ci --omit=dev --no-audit --no-fund'

/** The limit for one RUN, many times its duration on a busy machine. */
const commandMs = 160_000

/** The result of a Dockerfile, in a folder instead of an image. */
export type BuiltImage = {
  /** The folder with the root of the image's file system. */
  readonly root: string
  readonly workdir: string
  readonly environment: Readonly<Record<string, string>>
  readonly entrypoint: readonly string[]
  readonly command: readonly string[]
  readonly healthCheck: readonly string[]
  remove(): Promise<void>
}

/** The names for a build by `.dockerignore`, and a test for the exceptions. */
const readContext = async (): Promise<{ names: readonly string[]; isLeftOut: (path: string) => boolean }> => {
  const lines = (await readFile(join(projectRoot, '.dockerignore'), 'utf8')).split('\n').filter((line) => /^[^#\s]/.test(line))
  const names = lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1))
  const leftOut = lines.filter((line) => !/^[!*]/.test(line)).map((line) => join(projectRoot, line.replace(/\*$/, '')))
  return { names, isLeftOut: (path) => leftOut.some((prefix) => path.startsWith(prefix)) }
}

const copyContext = async (sources: readonly string[], to: string): Promise<void> => {
  const { names, isLeftOut } = await readContext()
  for (const name of sources.includes('.') ? names : sources) {
    if (!names.includes(name)) throw new Error(`${name} is not in the build's context: see .dockerignore`)
    // An exception for files that are not there has no effect.
    if (!existsSync(join(projectRoot, name))) continue
    await cp(join(projectRoot, name), join(to, name), { recursive: true, filter: (path) => !isLeftOut(path) })
  }
}

const wordsOf = (instruction: Instruction): readonly string[] => instruction.getArguments().map((word) => word.getValue())

const own = async (folder: string, owner: string | undefined): Promise<void> => {
  if (owner === undefined || process.getuid?.() !== 0) return
  const [uid, gid] = owner.split(':').map(Number)
  await chown(folder, uid ?? 0, gid ?? 0)
}

/** Node's own image, of which only Node exists here. */
const isNodeItself = (stage: Stage | undefined): boolean =>
  stage !== undefined && stage.instructions.length === 0 && stage.image.startsWith('node:')

/** Splits a stage at its first ARG; before that, it is the same for every machine. */
const splitAtArg = ({ instructions }: Stage) => {
  const index = Math.max(
    instructions.findIndex((instruction) => instruction.getKeyword() === 'ARG'),
    0,
  )
  return { start: instructions.slice(0, index), rest: instructions.slice(index) }
}

/**
 * Runs the Dockerfile of `half`, commands included, for `machine` (`amd64`, `arm64`). `layers` come from earlier builds of the
 * same project.
 */
export const buildImage = async (half: string, machine: string, layers: ImageLayers): Promise<BuiltImage> => {
  const { path: folder } = await createTempDir()
  await chmod(folder, 0o755)
  const stages = parseStages(readDockerfile(half))
  const rootOf = (stage: Stage): string => join(folder, stage.name === '' ? 'final' : stage.name)
  const build = async (stage: Stage): Promise<{ workdir: string; environment: Record<string, string> }> => {
    let workdir = '/'
    const environment: Record<string, string> = {}
    const given: Record<string, string> = {}
    const here = (path: string): string => join(rootOf(stage), posix.resolve(workdir, path))
    const copy = async (instruction: Instruction): Promise<void> => {
      const [to = '', ...sources] = wordsOf(instruction).toReversed()
      const from = stages.find(({ name }) => name === flagOf(instruction, 'from'))
      if (from === undefined) return copyContext(sources, here(to))
      await mkdir(dirname(here(to)), { recursive: true })
      if (isNodeItself(from)) return symlink(process.execPath, here(to))
      await cp(join(rootOf(from), sources[0] ?? ''), here(to), { recursive: true })
      await own(here(to), flagOf(instruction, 'chown'))
    }
    const note = (instruction: Instruction): void => {
      if (instruction instanceof Workdir) workdir = posix.resolve(workdir, instruction.getPath() ?? '')
      else if (instruction instanceof Env)
        for (const property of instruction.getProperties()) environment[property.getName()] = property.getValue() ?? ''
      else if (instruction.getKeyword() === 'ARG' && instruction.getArgumentsContent() === 'TARGETARCH')
        given.TARGETARCH = machine
    }
    const act = async (instruction: Instruction): Promise<void> => {
      if (instruction instanceof Workdir) await mkdir(here('.'), { recursive: true })
      else if (instruction.getKeyword() === 'COPY') await copy(instruction)
      else if (instruction.getKeyword() === 'RUN' && instruction.getArgumentsContent() === installation)
        await linkPackages(projectRoot, here('.'))
      else if (instruction.getKeyword() === 'RUN')
        await run('/bin/sh', ['-c', instruction.getArgumentsContent() ?? ''], {
          cwd: here('.'),
          // Proxies and certificates for the registry depend on this machine.
          env: { ...process.env, ...given },
          timeout: commandMs,
          killSignal: 'SIGKILL',
        })
    }
    const { start, rest } = splitAtArg(stage)
    const text = [stage.image, ...start.map((instruction) => instruction.getTextContent())].join('\n')
    const isMade = start.length > 0 && (await layers.copyTo(text, rootOf(stage)))
    await mkdir(here('/'), { recursive: true })
    for (const instruction of start) {
      note(instruction)
      if (!isMade) await act(instruction)
    }
    if (start.length > 0 && !isMade) await layers.keep(text, rootOf(stage))
    for (const instruction of rest) {
      note(instruction)
      await act(instruction)
    }
    return { workdir, environment }
  }
  for (const stage of stages.slice(0, -1)) await build(stage)
  const image = stages.at(-1)
  if (image === undefined) throw new Error(`infra/Dockerfile.${half} has no stage`)
  const { workdir, environment } = await build(image)
  const words = (keyword: string) => readExecForm(findInstruction(image, keyword))
  return {
    root: rootOf(image),
    workdir,
    environment,
    entrypoint: words('ENTRYPOINT'),
    command: words('CMD'),
    healthCheck: words('HEALTHCHECK'),
    remove: () => removeTree(folder),
  }
}

/** Lists every file of a folder by its relative path. */
export const listFiles = async (folder: string): Promise<readonly string[]> =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort()
