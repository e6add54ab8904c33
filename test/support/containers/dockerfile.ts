import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { DockerfileParser, From, Healthcheck, type Instruction, JSONInstruction, ModifiableInstruction } from 'dockerfile-ast'

export const projectRoot = resolve(import.meta.dirname, '../../..')

/** One stage of a Dockerfile: its base, and its instructions in order. */
export type Stage = {
  readonly name: string
  readonly image: string
  readonly platform: string
  readonly instructions: readonly Instruction[]
}

export const readDockerfile = (half: string): string => readFileSync(join(projectRoot, `infra/Dockerfile.${half}`), 'utf8')

/** The stages of a Dockerfile in order; the last one is the image. */
export const parseStages = (text: string): readonly Stage[] => {
  const stages: (Stage & { instructions: Instruction[] })[] = []
  for (const instruction of DockerfileParser.parse(text).getInstructions()) {
    if (instruction instanceof From)
      stages.push({
        name: instruction.getBuildStage() ?? '',
        image: instruction.getImage() ?? '',
        platform: instruction.getPlatformFlag()?.getValue() ?? '',
        instructions: [],
      })
    else stages.at(-1)?.instructions.push(instruction)
  }
  return stages
}

/** The last instruction with `keyword` in a stage. */
export const findInstruction = (stage: Stage | undefined, keyword: string): Instruction | undefined =>
  stage?.instructions.filter((instruction) => instruction.getKeyword() === keyword).at(-1)

export const flagOf = (instruction: Instruction | undefined, name: string): string | undefined =>
  instruction instanceof ModifiableInstruction
    ? (instruction
        .getFlags()
        .find((flag) => flag.getName() === name)
        ?.getValue() ?? undefined)
    : undefined

/** The words of a command in exec form, a JSON list. Throws for the shell form. */
export const readExecForm = (instruction: Instruction | undefined): readonly string[] => {
  if (instruction instanceof JSONInstruction && instruction.getOpeningBracket() !== null)
    return instruction.getJSONStrings().map((text) => text.getJSONValue())
  if (instruction instanceof Healthcheck) return JSON.parse((instruction.getArgumentsContent() ?? '').replace(/^CMD\s+/, ''))
  throw new Error(`no list of words: ${instruction?.getArgumentsContent()}`)
}
