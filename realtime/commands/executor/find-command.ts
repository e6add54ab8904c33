import type { Command } from '../command.ts'
import { findNearName } from './find-near-name.ts'

/** A command by its name, or a sentence that there is none, and the name that may have been meant, where one is near. */
export type FoundCommand =
  | { readonly command: Command; readonly message?: undefined; readonly nearest?: undefined }
  | { readonly command?: undefined; readonly message: string; readonly nearest: string | undefined }

const charactersShown = 64

/** Looks a command up by its lower-case name without the slash. */
export const findCommand = (commands: readonly Command[], name: string): FoundCommand => {
  const command = commands.find((candidate) => candidate.name === name)
  if (command !== undefined) return { command }
  const characters = [...name]
  const shown = characters.length > charactersShown ? `${characters.slice(0, charactersShown).join('')}…` : name
  const nearest = findNearName(
    shown,
    commands.map((candidate) => candidate.name),
  )
  const hint = nearest === undefined ? '; /help lists yours.' : `; the nearest is /${nearest}.`
  return { message: `There is no command /${shown}${hint}`, nearest }
}
