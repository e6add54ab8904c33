import { type FSWatcher, watch } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'

/**
 * Calls `changed` with the name of a file that was written, replaced or removed in a folder or below, except in `node_modules`. Watches
 * each folder by itself: the recursive watch of Node on Linux loses files that an editor replaces. Returns a function that ends it.
 */
export const watchFolder = async (folder: string, changed: (name: string) => void): Promise<() => void> => {
  const watchers = new Map<string, FSWatcher>()
  let isOver = false

  const drop = (path: string): void => {
    watchers.get(path)?.close()
    watchers.delete(path)
  }

  const add = (path: string): void => {
    if (watchers.has(path) || isOver) return
    const watcher = watch(path, { persistent: false }, (_event, name) => {
      void addBelow(path)
      changed(name ?? '')
    })
    watcher.on('error', () => drop(path))
    watchers.set(path, watcher)
  }

  const addBelow = async (path: string): Promise<void> => {
    const entries = await readdir(path, { withFileTypes: true }).catch(() => undefined)
    if (entries === undefined) return drop(path)
    add(path)
    for (const entry of entries) if (entry.isDirectory() && entry.name !== 'node_modules') await addBelow(join(path, entry.name))
  }

  await addBelow(resolve(folder))
  return () => {
    isOver = true
    for (const path of [...watchers.keys()]) drop(path)
  }
}
