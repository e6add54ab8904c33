import type { DiscoveredRow } from '../../shared/worlds/store/chunk-store.ts'

/** Characters of a piece: large enough to cost few writes, small enough to be nothing in memory. */
const pieceLength = 65_536

/** Columns as the text of one JSON array `[{"cx":…,"cz":…}]`, in pieces: the first with the first column, the others of about 64 KiB. */
export const discoveredPieces = async function* (rows: AsyncIterable<DiscoveredRow>): AsyncGenerator<string> {
  let piece = '['
  let lengthWanted = 0
  let separator = ''
  for await (const { cx, czs } of rows)
    for (const cz of czs) {
      piece += `${separator}{"cx":${cx},"cz":${cz}}`
      separator = ','
      if (piece.length < lengthWanted) continue
      yield piece
      piece = ''
      lengthWanted = pieceLength
    }
  yield `${piece}]`
}
