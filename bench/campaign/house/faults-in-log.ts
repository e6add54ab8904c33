/** Errors that the log may tell of in a campaign: an outage that it made itself or that a starved machine makes, and a users.yaml that it broke. */
const expected =
  /accounts file cannot be read|users\.yaml|\bRedis\b|ECONN|does not hear|\blease\b|does not answer|not be written; they are tried again|by asking only|polling instead/

/** What a line says, and the errors behind it, without their stacks: files of ours are named as what they are about. */
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

/** What is the same in each line of one fault: not when it was, for whom, or how deep in which function. */
const kindOf = (line: string): string => line.replaceAll(/"(time|requestId|pid)":[^,]+,?/g, '').replace(/\\n\s+at .*/, '')

/** The lines of a server's output that tell of a fault of the code, cut short, each kind of them once. */
export const findFaults = (text: string): readonly string[] => {
  const lines = text.split('\n').filter(isFault)
  return [...new Set(lines.map((line) => kindOf(line).slice(0, 600)))].slice(0, 20)
}
