import { readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { dirname, resolve } from 'node:path'

/** The map of each script by its path; undefined until a stack leads through it. */
const maps = new Map()

const readMap = (path) => {
  try {
    return new SourceMap(JSON.parse(readFileSync(`${path}.map`, 'utf8')))
  } catch {
    // Perhaps the next time.
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

/** The first line as Node writes it: the code of an error of its own stands there too. */
const describeError = (error) => ofNode?.(error, []) ?? Error.prototype.toString.call(error)

const describeStack = (error, sites) => [describeError(error), ...sites.map(describeSite)].join('\n    at ')

/**
 * Lets stacks name the lines of the sources for the script at `path`, whose map lies beside it. Node would read each map at the start; this
 * reads one when a stack leads through its script.
 */
export const showSources = (path) => {
  maps.set(path, undefined)
  Error.prepareStackTrace = describeStack
}
