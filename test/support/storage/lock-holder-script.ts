import { readFile, writeFile } from 'node:fs/promises'
import { withFileLock } from '../../../shared/platform/storage/files/file-lock.ts'

/**
 * `hold <path>`: takes the lock, prints that, and keeps it. `count <path> <times>`: adds one to the number in the file, that
 * often.
 */
const run = async (): Promise<void> => {
  const [mode, path = '', times] = process.argv.slice(2)

  if (mode === 'hold')
    await withFileLock(path, async () => {
      process.stdout.write('held\n')
      await new Promise((resolve) => process.stdin.once('data', resolve).resume())
      process.stdin.pause()
    })
  else
    for (let done = 0; done < Number(times); done += 1)
      await withFileLock(path, async () => {
        await writeFile(path, String(Number(await readFile(path, 'utf8')) + 1))
      })
}

export const main = run()
