import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { validate } from 'dockerfile-utils'
import { halfNames } from '../../../infra/containers/halves.ts'
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

  it('has nothing that the linter objects to', () => {
    expect(validate(text)).toEqual([])
  })

  it('begins every stage with an image pinned to a full version, for any machine', () => {
    for (const { image: from } of stages) expect(from).toMatch(/^(node:22\.\d+\.\d+-trixie-slim|debian:13\.\d+-slim)$/)
    expect(new Set(stages.map(({ image: from }) => from)).size).toBe(2)
    expect(stages.map(({ platform }) => platform)).toEqual(['$BUILDPLATFORM', '', ''])
  })

  it('makes the image of copies alone, so that no command is emulated, no build tool is in it and it has few layers', () => {
    expect(keywords).not.toContain('RUN')
    expect(keywords).not.toContain('ADD')
    expect(keywords.filter((keyword) => keyword === 'COPY')).toHaveLength(3)
    for (const { instructions } of stages.slice(-1))
      for (const copy of instructions.filter((instruction) => instruction.getKeyword() === 'COPY'))
        expect(stages.map(({ name }) => name)).toContain(flagOf(copy, 'from'))
  })

  it('runs as somebody without a name, a home or rights, who owns nothing but the data folder', () => {
    expect(argumentsOf('USER')).toBe('10001:10001')
    const owned = image?.instructions.filter((instruction) => flagOf(instruction, 'chown') !== undefined) ?? []
    expect(owned.map((copy) => [flagOf(copy, 'chown'), copy.getArguments().at(-1)?.getValue()])).toEqual([
      ['10001:10001', '/data'],
    ])
  })

  it('starts node itself as the process that signals reach, and asks it by node whether it is well', () => {
    expect(readExecForm(findInstruction(image, 'ENTRYPOINT'))[0]).toBe('node')
    expect(readExecForm(findInstruction(image, 'CMD'))).toHaveLength(1)
    expect(readExecForm(findInstruction(image, 'HEALTHCHECK'))).toEqual(['node', 'health-check.js'])
    expect(argumentsOf('STOPSIGNAL')).toBe('SIGTERM')
    expect(text).not.toMatch(/curl|wget/)
  })

  it('exposes the port that it listens on, and bears nothing secret', () => {
    expect(argumentsOf('ENV')).toContain(`PORT=${argumentsOf('EXPOSE')}`)
    expect(argumentsOf('ENV')).not.toMatch(/SECRET|TOKEN|PASSWORD|KEY|REDIS_URL/)
  })

  it('has the options of node that the npm script has', () => {
    const { scripts } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'))
    const options = String(scripts[`start:${half}`]).match(/--[a-z-]+=\S+/g) ?? []
    expect(readExecForm(findInstruction(image, 'ENTRYPOINT'))).toEqual(['node', ...options, '--enable-source-maps'])
  })
})
