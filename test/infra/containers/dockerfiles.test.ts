import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { validate } from 'dockerfile-utils'
import { halfNames } from '../../../infra/containers/bundle-half.ts'
import {
  findInstruction,
  flagOf,
  parseStages,
  projectRoot,
  readDockerfile,
  readExecForm,
} from '../../support/containers/dockerfile.ts'

describe.each(halfNames)('infra/Dockerfile.%s', (half) => {
  const text = readDockerfile(half)
  const stages = parseStages(text)
  const image = stages.at(-1)
  const keywords = image?.instructions.map((instruction) => instruction.getKeyword()) ?? []
  const argumentsOf = (keyword: string) => findInstruction(image, keyword)?.getArgumentsContent()

  it('passes the linter', () => {
    expect(validate(text)).toEqual([])
  })

  it('begins every stage with an image pinned to a full version, for any machine', () => {
    for (const { image: from } of stages) expect(from).toMatch(/^(node:22\.\d+\.\d+-trixie-slim|debian:13\.\d+-slim)$/)
    expect(new Set(stages.map(({ image: from }) => from)).size).toBe(2)
    expect(stages.map(({ platform }) => platform)).toEqual(['$BUILDPLATFORM', '', ''])
  })

  it('builds the image with COPY alone: no emulated commands, no build tools and few layers', () => {
    expect(keywords).not.toContain('RUN')
    expect(keywords).not.toContain('ADD')
    expect(keywords.filter((keyword) => keyword === 'COPY')).toHaveLength(3)
    for (const { instructions } of stages.slice(-1))
      for (const copy of instructions.filter((instruction) => instruction.getKeyword() === 'COPY'))
        expect(stages.map(({ name }) => name)).toContain(flagOf(copy, 'from'))
  })

  it('runs as a user without a name, home or privileges, who owns only the data folder', () => {
    expect(argumentsOf('USER')).toBe('10001:10001')
    const owned = image?.instructions.filter((instruction) => flagOf(instruction, 'chown') !== undefined) ?? []
    expect(owned.map((copy) => [flagOf(copy, 'chown'), copy.getArguments().at(-1)?.getValue()])).toEqual([
      ['10001:10001', '/data'],
    ])
  })

  it('starts node as the process that receives signals, and checks its health with node', () => {
    expect(readExecForm(findInstruction(image, 'ENTRYPOINT'))[0]).toBe('node')
    expect(readExecForm(findInstruction(image, 'CMD'))).toHaveLength(1)
    expect(readExecForm(findInstruction(image, 'HEALTHCHECK'))).toEqual(['node', 'health-check.js'])
    expect(argumentsOf('STOPSIGNAL')).toBe('SIGTERM')
    expect(text).not.toMatch(/curl|wget/)
  })

  it('exposes the port it listens on, and contains no secret', () => {
    expect(argumentsOf('ENV')).toContain(`PORT=${argumentsOf('EXPOSE')}`)
    expect(argumentsOf('ENV')).not.toMatch(/SECRET|TOKEN|PASSWORD|KEY|REDIS_URL/)
  })

  it('has the node options of the npm script', () => {
    const { scripts } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'))
    const options = String(scripts[`start:${half}`]).match(/--[a-z-]+=\S+/g) ?? []
    expect(readExecForm(findInstruction(image, 'ENTRYPOINT'))).toEqual(['node', ...options, '--enable-source-maps'])
  })
})
