const inputBytesMax = 4096

/** The first line of `stdin`, so that Enter ends it at a terminal. */
export const readSecretLine = async (stdin: AsyncIterable<Uint8Array | string>): Promise<string> => {
  let input = Buffer.alloc(0)
  for await (const chunk of stdin) {
    input = Buffer.concat([input, Buffer.from(chunk)])
    if (input.includes('\n') || input.length > inputBytesMax) break
  }
  return input.toString('utf8').split(/\r?\n/, 1)[0] ?? ''
}
