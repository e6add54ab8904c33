import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import autocannon from 'autocannon'
import { startChild } from '../realtime/child.ts'
import { type BenchResult, median, round } from '../result.ts'
import { startLiveServer } from './live-server.ts'

const rounds = 5
const secondsPerRound = 3
const targetRatio = 0.8
const tile = '/api/admin/worlds/default/map/0/0/0.png'

const requestsPerSecond = async (url: string, headers: Record<string, string> = {}): Promise<number> => {
  const result = await autocannon({ url, connections: 32, duration: secondsPerRound, headers })
  if (result.non2xx > 0) throw new Error(`${result.non2xx} answers were not 200`)
  return result.requests.average
}

/** Benchmarks a cached tile against the same bytes from express.static, in turns. */
export const measureWarmTile = async (): Promise<BenchResult> => {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-bench-tile-'))
  const server = await startLiveServer(16)
  const reference = startChild('worlds/static-tile.ts', [folder])
  try {
    const answer = await server.ask('GET', tile)
    if (answer.status !== 200) throw new Error(`the tile was answered ${answer.status}`)
    await writeFile(join(folder, 'tile.png'), Buffer.from(await answer.arrayBuffer()))
    const port = await reference.wait((message) => (typeof message.ready === 'number' ? message.ready : undefined))
    const [ours, theirs]: [number[], number[]] = [[], []]
    for (let turn = 0; turn <= rounds; turn += 1) {
      const us = await requestsPerSecond(server.url + tile, { authorization: `Bearer ${server.token}` })
      const them = await requestsPerSecond(`http://127.0.0.1:${port}/tile.png`)
      if (turn === 0) continue
      ours.push(us)
      theirs.push(them)
    }
    const ratio = median(ours.map((value, turn) => value / (theirs[turn] ?? 1)))
    return {
      bench: 'map-tiles',
      figure: 'a warm tile, with token and entity tag',
      value: round(median(ours), 0),
      unit: 'requests/s',
      reference: { name: 'express.static, the same bytes', value: round(median(theirs), 0) },
      ratio: round(ratio),
      target: `ratio at least ${targetRatio}`,
      met: ratio >= targetRatio,
    }
  } finally {
    await reference.stop()
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
}
