import { readFile } from 'node:fs/promises'

/** The version in `package.json`. */
export const readServerVersion = async (): Promise<string> => {
  const text = await readFile(new URL('../package.json', import.meta.url), 'utf8')
  const { version }: { version: string } = JSON.parse(text)
  return version
}
