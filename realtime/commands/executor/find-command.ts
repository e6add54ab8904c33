import { closest } from 'fastest-levenshtein'
import type { Command } from '../command.ts'

/** A command by its name, or a sentence that there is none, and the nearest name there is. */
export type FoundCommand =
  | { readonly command: Command; readonly message?: undefined; readonly nearest?: undefined }
  | { readonly command?: undefined; readonly message: string; readonly nearest: string }

const charactersShown = 64

/** Looks a command up by its lower-case name without the slash; when there is none, says so and names the nearest. */
export const findCommand = (commands: readonly Command[], name: string): FoundCommand => {
  const command = commands.find((candidate) => candidate.name === name)
  if (command !== undefined) return { command }
  const characters = [...name]
  const shown = characters.length > charactersShown ? `${characters.slice(0, charactersShown).join('')}…` : name
  const nearest = closest(
    shown,
    commands.map((candidate) => candidate.name),
  )
  return { message: `There is no command /${shown}; the nearest is /${nearest}.`, nearest }
}
