import { expect, it } from '@jest/globals'
import { listGroups } from '../../../functions/accounts/list-groups.ts'
import type { HttpDeps } from '../../../functions/deps.ts'
import type { GroupView } from '../../../shared/domain/permissions/permissions.ts'

it('yields to other work between a thousand large groups, each computed in its own slice', async () => {
  const permissions = Array.from({ length: 40 }, (_, index) => `command.of-somebody-${index}`)
  let workedOut = 0
  const eachGroup = function* (): Generator<GroupView> {
    for (; workedOut < 1000; workedOut += 1)
      yield { name: `group${workedOut}`, permissions, inherits: [], effective: permissions }
  }
  const deps = { permissions: { eachGroup, defaultGroups: () => [] } } as unknown as HttpDeps
  const answer = await listGroups.handle(deps, undefined as never)
  if (!('pieces' in answer)) throw new Error('the answer is not a stream')
  const seenByOthers: number[] = []
  let isOver = false
  const look = (): void => {
    seenByOthers.push(workedOut)
    if (!isOver) setImmediate(look)
  }
  setImmediate(look)
  for await (const piece of answer.pieces) expect(piece.length).toBeLessThan(100_000)
  isOver = true
  seenByOthers.push(workedOut)
  const steps = seenByOthers.map((count, index) => count - (seenByOthers[index - 1] ?? 0))
  expect(workedOut).toBe(1000)
  expect(Math.max(...steps)).toBeLessThan(100)
})
