import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals'
import { createDynamoChunkStore } from '../../../../../../shared/domain/worlds/store/dynamodb/chunk-store-dynamodb.ts'
import { systemIds } from '../../../../../../shared/kernel/ids.ts'
import { type DynamoServer, describeDynamo, openDynamo, openDynamoForTests } from '../../../../../support/dynamodb/dynamodb.ts'
import { type ChildScript, nextLine, startScript } from '../../../../../support/processes/child-process.ts'
import { rewrittenColumns, rewrittenWorld } from '../../../../../support/worlds/rewritten-columns.ts'

const script = join(import.meta.dirname, '../../../../../support/worlds/dynamodb-chunk-writer-script.ts')

describeDynamo('chunks of several processes in DynamoDB', () => {
  let server: DynamoServer
  const children: ChildScript[] = []
  beforeAll(async () => {
    server = await openDynamoForTests()
  })
  afterAll(() => server.stop())
  afterEach(async () => {
    for (const child of children.splice(0)) {
      child.process.kill('SIGKILL')
      await child.ended
    }
  })

  it('have complete writes after kill -9 at any moment, lose none, and need no repair', async () => {
    const dynamo = await openDynamo(server.endpoint)
    let next = 0
    for (const [round, answers] of [1, 4, 12].entries()) {
      const args = [server.endpoint, dynamo.target.tablePrefix, String(round + 1), String(next)]
      const child = startScript(script, args)
      children.push(child)
      for (let n = 0; n < answers; n += 1) next = Number(await nextLine(child)) + 1
      // Kills at varying moments, not always between two writes.
      await new Promise((resolve) => setTimeout(resolve, round * 14))
      child.process.kill('SIGKILL')
      for (let line = await child.lines.next(); !line.done; line = await child.lines.next()) next = Number(line.value) + 1
      await child.ended

      const store = createDynamoChunkStore({ dynamo, ids: systemIds })
      const columns = await store.getMany(rewrittenWorld, rewrittenColumns(next))
      const texts = new Set(columns.flatMap((bytes) => (bytes === undefined ? [] : [Buffer.from(bytes).toString()])))
      expect([`write ${next - 1}`, `write ${next}`]).toEqual(expect.arrayContaining([...texts]))
      expect(texts.size).toBe(1)
      const [text = ''] = texts
      next = Number(text.split(' ')[1]) + 1
      const expected = rewrittenColumns(next - 1).length
      let discovered = 0
      for await (const { czs } of store.discovered(rewrittenWorld)) discovered += czs.length
      expect({ discovered, chunkCount: (await store.stats(rewrittenWorld)).chunkCount }).toEqual({
        discovered: expected,
        chunkCount: expected,
      })
      await store.close()
    }
    dynamo.close()
  }, 180_000)
})
