/** Errors that are allowed in the log of a campaign: its own outages, effects of a starved machine, and its broken users.yaml. */
const expected =
  /cannot read the accounts file|accounts file cannot be read|users\.yaml|\bRedis\b|ECONN|no events from other nodes|\blease\b|does not answer|not be written; retrying|by asking only|polling/

/** The message of a line and of the errors behind it, without stacks; our files are replaced by their topic. */
const wordsOf = (line: string): string => {
  try {
    const entry = JSON.parse(line)
    const said: unknown[] = [entry.msg]
    for (let error = entry.err; error !== undefined && error !== null; error = error.cause)
      said.push(error.message, error.code, error.publicDetail)
    return said.filter((one) => typeof one === 'string').join('\n')
  } catch {
    return line
  }
}

const isFault = (line: string): boolean => {
  if (line.startsWith('{')) return /"level":(50|60)\b/.test(line) && !expected.test(wordsOf(line))
  return /^\s+at .+:\d+:\d+\)?$|UnhandledPromise|FATAL ERROR/.test(line)
}

/** The common part of all lines of one fault, without time, request and stack. */
const kindOf = (line: string): string => line.replaceAll(/"(time|requestId|pid)":[^,]+,?/g, '').replace(/\\n\s+at .*/, '')

/** Finds lines about faults of the code in a server's output, shortened, each kind once. */
export const findFaults = (text: string): readonly string[] => {
  const lines = text.split('\n').filter(isFault)
  return [...new Set(lines.map((line) => kindOf(line).slice(0, 600)))].slice(0, 20)
}
