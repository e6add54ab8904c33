import { AppError } from '../../shared/kernel/errors.ts'
import type { WorldService } from '../../shared/worlds/world-service.ts'

/** AppError `conflict`, slug `already-exists`. */
export const nameTaken = (name: string): AppError =>
  new AppError('conflict', 'already-exists', `The world "${name}" exists already: import under another name.`)

/** Throws AppError `conflict` when there is a world of that name, letter case aside. */
export const refuseTaken = async (
  { worlds }: { readonly worlds: Pick<WorldService, 'listWorlds'> },
  name: string,
): Promise<void> => {
  const same = (await worlds.listWorlds()).find((world) => world.name.toLowerCase() === name.toLowerCase())
  if (same !== undefined) throw nameTaken(same.name)
}
