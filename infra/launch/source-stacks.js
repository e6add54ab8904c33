import { readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { dirname, resolve } from 'node:path'

/** The map of each script by its path; undefined until a stack needs it. */
const maps = new Map()

const readMap = (path) => {
  try {
    return new SourceMap(JSON.parse(readFileSync(`${path}.map`, 'utf8')))
  } catch {
    // Tries again at the next stack.
    return undefined
  }
}

const mapOf = (path) => {
  if (maps.has(path) && maps.get(path) === undefined) maps.set(path, readMap(path))
  return maps.get(path)
}

const describeSite = (site) => {
  const text = String(site)
  const [path, line, column] = [site.getFileName(), site.getLineNumber(), site.getColumnNumber()]
  const { originalSource, originalLine, originalColumn } = mapOf(path)?.findEntry(line - 1, column - 1) ?? {}
  if (originalSource === undefined) return text
  const source = resolve(mapOf(path).payload.sourceRoot ?? dirname(path), originalSource)
  return text.replace(`${path}:${line}:${column}`, () => `${source}:${originalLine + 1}:${originalColumn + 1}`)
}

const ofNode = Error.prepareStackTrace

/** The first line as Node writes it, with the code of its own errors. */
const describeError = (error) => ofNode?.(error, []) ?? Error.prototype.toString.call(error)

const describeStack = (error, sites) => [describeError(error), ...sites.map(describeSite)].join('\n    at ')

/**
 * Makes stacks show the source lines of the script at `path`, whose map is next to it. Node would read each map at the start;
 * this reads a map when a stack first needs it.
 */
export const showSources = (path) => {
  maps.set(path, undefined)
  Error.prepareStackTrace = describeStack
}
