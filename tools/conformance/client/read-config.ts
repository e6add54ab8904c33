import type { Kit } from '../check.ts'
import { expectStatus } from '../report/expectations.ts'
import type { Answer } from './answer.ts'

/** A config as the administrator reads it; throws Mismatch where that is no 200. */
export const readConfig = async ({ ask }: Pick<Kit, 'ask'>, name: string): Promise<Answer> => {
  const answer = await ask('administrator', `GET /api/admin/configs/${name}`)
  expectStatus(answer, 200)
  return answer
}
