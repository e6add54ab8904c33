/** Bytes of a block of a tar archive. */
const blockBytes = 512

const octal = (number, width) => `${number.toString(8).padStart(width - 1, '0')}\0`

/** The header of a regular file in the POSIX format (ustar), without owner and time: equal files give equal archives. */
const headerOf = (name, size) => {
  const header = Buffer.alloc(blockBytes)
  if (Buffer.byteLength(name) > 100) throw new Error(`This name is too long for the archive: ${name}`)
  header.write(name, 0)
  header.write(octal(0o644, 8), 100)
  for (const at of [108, 116]) header.write(octal(0, 8), at)
  header.write(octal(size, 12), 124)
  header.write(octal(0, 12), 136)
  header.write(' '.repeat(8), 148)
  header.write('0', 156)
  header.write('ustar\x0000', 257)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${octal(sum, 7)} `, 148)
  return header
}

/** A tar archive of these files; names have at most 100 bytes. */
export const packTar = (files) =>
  Buffer.concat([
    ...files.flatMap(({ name, contents }) => [
      headerOf(name, contents.length),
      contents,
      Buffer.alloc((blockBytes - (contents.length % blockBytes)) % blockBytes),
    ]),
    Buffer.alloc(2 * blockBytes),
  ])
