import { type Check, check, type Feature } from '../check.ts'
import { addressOfNothing, callerFor } from '../client/operation-requests.ts'
import { expectProblem } from '../report/expectations.ts'
import { nameOperation, type Operation, takesFile } from '../rules/api-description.ts'

const mediaTypesOf = ({ requestBody }: Operation): readonly string[] => Object.keys(requestBody?.content ?? {})

const checksOf = (operation: Operation): readonly Check[] => {
  const { as, need } = callerFor(operation)
  const what = `${operation.method} ${addressOfNothing(operation)}`
  const taken = mediaTypesOf(operation)
  const name = nameOperation(operation)
  const bytesMax = operation.requestBody?.['x-bytes-max'] ?? 0
  const refused = ['application/json', 'application/yaml', 'application/x-www-form-urlencoded'].filter(
    (one) => !taken.includes(one),
  )
  const sizes = check(need, `${name} accepts a body of ${bytesMax} bytes, and answers 413 to a larger one`, async ({ ask }) => {
    const headers = { 'Content-Type': taken[0] ?? '' }
    const refused = await ask(as, what, { raw: Buffer.alloc(bytesMax + 1, ' '), headers })
    expectProblem(refused, 413, 'body-too-large')
    if (!taken.includes('application/json')) return
    const notJson = await ask(as, what, { raw: Buffer.alloc(bytesMax, ' '), headers })
    expectProblem(notJson, 400, 'bad-request')
  })
  return [
    check(need, `${name} answers 415 to another media type, charset or encoding`, async ({ ask }) => {
      const [own = ''] = taken
      const kinds = [
        ...refused.map((mediaType) => ({ 'Content-Type': mediaType })),
        // A file has no charset.
        ...(takesFile(operation) ? [] : [{ 'Content-Type': `${own}; charset=utf-16` }]),
        { 'Content-Type': own, 'Content-Encoding': 'gzip' },
      ]
      for (const headers of kinds) expectProblem(await ask(as, what, { raw: '{}', headers }), 415, 'unsupported-media-type')
    }),
    // The limit of a file is more than the check can send.
    ...(takesFile(operation) ? [] : [sizes]),
  ]
}

export const mediaTypes: Feature = {
  name: 'Media types and sizes of requests',
  checks: ({ operations }) => operations.filter(({ requestBody }) => requestBody !== undefined).flatMap(checksOf),
}
