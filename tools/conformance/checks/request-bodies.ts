import { type Check, check, type Feature, type Kit } from '../check.ts'
import type { Send } from '../clean-up.ts'
import { addressOfNothing, callerFor, operationsWithJson } from '../client/operation-requests.ts'
import { findWrongValue } from '../client/sample-values.ts'
import { expectFaultAt, expectProblem } from '../report/expectations.ts'
import { type JsonSchema, nameOperation, type Operation } from '../rules/api-description.ts'

const sendTo = ({ ask }: Kit, operation: Operation, send: Send) =>
  ask(callerFor(operation).as, `${operation.method} ${addressOfNothing(operation)}`, send)

const propertiesOf = ({ properties }: JsonSchema): readonly (readonly [string, JsonSchema])[] =>
  Object.entries(typeof properties === 'object' && properties !== null ? properties : {})

const requiredOf = ({ required }: JsonSchema): readonly string[] => (Array.isArray(required) ? required.map(String) : [])

const checksOf = (operation: Operation, schema: JsonSchema): readonly Check[] => {
  const { need } = callerFor(operation)
  const name = nameOperation(operation)
  const required = requiredOf(schema)
  // Bodies with exactly one fault that the schema must refuse: a server without this check must not execute the request.
  const unknownKey = check(need, `${name} refuses an unknown key`, async (kit) => {
    const answer = await sendTo(kit, operation, { json: { 'conformance-key': 1 } })
    // With several forms, no one can say which one was meant.
    if (schema.anyOf === undefined && schema.type !== 'array') expectFaultAt(answer, '/conformance-key')
    else expectProblem(answer, 400, 'bad-request')
  })
  const wrongTypes = check(need, `${name} reports each value of a wrong type`, async (kit) => {
    for (const [key, value] of propertiesOf(schema)) {
      const wrong = findWrongValue(value)
      if (wrong !== undefined) expectFaultAt(await sendTo(kit, operation, { json: { [key]: wrong } }), `/${key}`)
    }
  })
  const missing = check(need, `${name} reports each missing key`, async (kit) => {
    const answer = await sendTo(kit, operation, { json: {} })
    for (const key of required) expectFaultAt(answer, `/${key}`)
  })
  return [unknownKey, wrongTypes, ...(required.length === 0 ? [] : [missing])]
}

const headers = { 'Content-Type': 'application/json' }
const notJson: readonly (string | Uint8Array)[] = ['{', '', '[1,]', '"\\ud800"', Buffer.from([0x22, 0xff, 0x22])]

const refusesWhatIsNotJson = (operation: Operation, { type }: JsonSchema): Check =>
  check(callerFor(operation).need, `${nameOperation(operation)} refuses a body that is not JSON`, async (kit) => {
    const mayBeAbsent = operation.requestBody?.required === false
    for (const raw of notJson.filter((one) => one !== '' || !mayBeAbsent))
      expectProblem(await sendTo(kit, operation, { raw, headers }), 400, 'bad-request')
    for (const json of [null, type === 'array' ? {} : [], 'text', 1])
      expectProblem(await sendTo(kit, operation, { json }), 400, 'bad-request')
  })

export const requestBodies: Feature = {
  name: 'Request bodies',
  checks: (api) =>
    operationsWithJson(api)
      // A message to a module has any body: the module decides.
      .filter(([, schema]) => findWrongValue(schema) !== undefined)
      .flatMap(([operation, schema]) => [...checksOf(operation, schema), refusesWhatIsNotJson(operation, schema)]),
}
