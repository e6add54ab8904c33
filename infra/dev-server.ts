import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { replyToReload } from '../realtime/commands/reload.ts'
import type { ModuleStatus } from '../shared/domain/modules/module-status.ts'
import { AppError } from '../shared/kernel/errors.ts'
import { createSerialQueue } from '../shared/kernel/queue.ts'
import { failStart } from '../shared/platform/process/fail-start.ts'
import { mayStart } from '../shared/platform/process/server-arguments.ts'
import { startLocalServer } from './project/local-server.ts'
import { printModuleFaults } from './project/print-module-faults.ts'
import { watchFolder } from './project/watch-folder.ts'

/** An editor writes a file in several steps. */
const settleMs = 100

const write = (text: string): void => void process.stdout.write(`${text}\n`)

/** The reason why a reload was refused, and how to load modules anyway. */
const describeRefusal = (error: unknown): string => {
  const text = error instanceof Error ? error.message : String(error)
  if (!(error instanceof AppError) || error.slug !== 'would-lose') return text
  return `${text}\nNothing was reloaded. To load a module anyway, enter /module reload NAME --yes in the game.`
}

/** The state of a module after its name, unless it runs. */
const describeState = ({ name, state }: ModuleStatus): string => (state === 'running' ? name : `${name} (${state})`)

/** The server of `npm run dev`: that of `npm start`, which reloads modules when a file in their folders changes, and applies a changed `modules.yaml`. */
const startDev = async (): Promise<void> => {
  const { environment, node, services } = await startLocalServer({ changeLog: (log) => printModuleFaults(log, write) })
  const { dataDir, modulesFolder } = environment
  const folders = [join(dataDir, 'modules'), ...(modulesFolder === undefined ? [] : [modulesFolder])]

  const reload = async (): Promise<void> => {
    const startedMs = performance.now()
    const listNames = () =>
      node
        .modules()
        ?.list()
        .map(({ name }) => name) ?? []
    const before = listNames()
    try {
      const names = (await node.modules()?.reload(undefined, { onlyChanged: true })) ?? []
      const tookMs = Math.round(performance.now() - startedMs)
      const after = listNames()
      const removed = before.filter((name) => !after.includes(name))
      if (removed.length > 0) write(`Removed ${removed.join(', ')}. The stored data stays.`)
      if (names.length > 0) write(`Reloaded ${names.join(', ')} in ${tookMs} ms.`)
      else if (removed.length === 0) write('No module has changed.')
    } catch (error) {
      write(describeRefusal(error))
    }
  }

  const applyConfig = async (): Promise<void> => {
    try {
      write(replyToReload(await services.checkReloaded(await services.configs.reload(['modules.yaml']))).text)
    } catch (error) {
      write(error instanceof Error ? error.message : String(error))
    }
  }

  const inTurn = createSerialQueue()
  /** Sends a message to `dev.ts` before the files are read. */
  const readFiles = (read: () => Promise<void>) =>
    inTurn(() => {
      process.send?.('reads')
      return read()
    })

  let timer: NodeJS.Timeout | undefined
  let configTimer: NodeJS.Timeout | undefined
  for (const folder of folders) {
    await mkdir(folder, { recursive: true })
    await watchFolder(folder, (name) => {
      if (name.includes('.test.')) return
      clearTimeout(timer)
      timer = setTimeout(() => readFiles(reload), settleMs)
    })
  }
  await watchFolder(join(dataDir, 'config'), (name) => {
    if (name !== 'modules.yaml') return
    clearTimeout(configTimer)
    configTimer = setTimeout(() => readFiles(applyConfig), settleMs)
  })
  const modules = node.modules()?.list() ?? []
  write(modules.length === 0 ? 'There are no modules yet.' : `Modules: ${modules.map(describeState).join(', ')}.`)
  write(`Modules are reloaded when a file changes in ${folders.join(' or ')}.`)
  // With a channel, `dev.ts` runs this process.
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
  process.send?.([...folders, join(dataDir, 'config')])
}

const does = 'Starts the server, and reloads modules when a file changes.'

export const main = mayStart('dev', does) ? startDev().catch(failStart) : undefined
