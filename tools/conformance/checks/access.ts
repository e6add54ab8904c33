import { type Check, check, type Feature } from '../check.ts'
import { addressOfNothing, harmlessBody } from '../client/operation-requests.ts'
import { expectHeader, expectProblem, expectThat, showAnswer } from '../report/expectations.ts'
import { Skipped } from '../report/skipped.ts'
import { nameOperation, type Operation } from '../rules/api-description.ts'

const lineOf = (operation: Operation): string => `${operation.method} ${addressOfNothing(operation)}`

/** Values that look like a credential and are not valid. */
const deadCredentials = ['Bearer 5f1d7a52-6d33-4b8e-9c5a-0d4f1b2c3d4e', 'Bearer', 'Bearer a b', 'Basic Z2F0ZTpob3VzZQ==']

const refusesNobody = (operation: Operation): Check =>
  check('nothing', `${nameOperation(operation)} answers 401`, async ({ ask }) => {
    const answer = await ask('nobody', lineOf(operation), harmlessBody(operation))
    expectProblem(answer, 401, 'not-signed-in')
    expectHeader(answer, 'WWW-Authenticate', /^Bearer\b/i)
  })

const letsIn = (operation: Operation): Check =>
  check('nothing', `${nameOperation(operation)} needs none`, async ({ ask }) => {
    const answer = await ask('nobody', lineOf(operation), harmlessBody(operation))
    expectThat(![401, 403, 405].includes(answer.status), 'an answer without a credential', () => showAnswer(answer))
  })

const refusesDead = (operation: Operation): Check =>
  check('nothing', `${nameOperation(operation)} answers 401`, async ({ ask }) => {
    for (const Authorization of deadCredentials) {
      const answer = await ask('nobody', lineOf(operation), { ...harmlessBody(operation), headers: { Authorization } })
      expectProblem(answer, 401, 'invalid-token')
      expectHeader(answer, 'WWW-Authenticate', /^Bearer\b/i)
    }
  })

const refusesPlayer = (operation: Operation): Check =>
  check('write', `${nameOperation(operation)} answers 403 and names ${operation.permission}`, async ({ ask }) => {
    const answer = await ask('player', lineOf(operation), harmlessBody(operation))
    expectProblem(answer, 403, 'missing-permission')
    expectThat(answer.text.includes(operation.permission), `the name of ${operation.permission}`, () => showAnswer(answer))
  })

const refusesUnverified = (operation: Operation): Check =>
  check('administrator', `${nameOperation(operation)} answers 403`, async ({ ask, facts, email, fixtures }) => {
    if (facts.provider !== 'local' || facts.requirePassword)
      throw new Skipped('this server does not allow sign-ins without a password')
    if (email === undefined) throw new Skipped('needs the administrator’s email')
    const bearer = await fixtures.unverifiedToken(email)
    const answer = await ask({ bearer }, lineOf(operation), harmlessBody(operation))
    expectProblem(answer, 403, 'password-sign-in-needed')
  })

const isSecured = ({ permission }: Operation): boolean => permission !== 'none'
const isAdmin = ({ permission }: Operation): boolean => permission !== 'none' && permission !== 'signed-in'

export const withoutCredential: Feature = {
  name: 'Without a credential',
  checks: ({ operations }) =>
    operations.map((operation) => (isSecured(operation) ? refusesNobody(operation) : letsIn(operation))),
}

export const withDeadToken: Feature = {
  name: 'With an invalid token',
  checks: ({ operations }) => operations.filter(isSecured).map(refusesDead),
}

export const asPlayer: Feature = {
  name: 'As a player without rights',
  checks: ({ operations }) => operations.filter(isAdmin).map(refusesPlayer),
}

export const withoutPassword: Feature = {
  name: 'As the administrator, signed in without the password',
  // Routes that check more than the sign-in: the owner of a zone needs a verified one too.
  checks: ({ operations }) =>
    operations.filter((one) => isSecured(one) && one.path.startsWith('/api/admin/')).map(refusesUnverified),
}
