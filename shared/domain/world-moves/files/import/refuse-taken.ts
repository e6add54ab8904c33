import { nameTaken } from '../../../worlds/world-names.ts'
import type { WorldService } from '../../../worlds/world-service.ts'

/** Throws AppError `conflict` if a world with this name exists, without regard to case. */
export const refuseTaken = async (
  { worlds }: { readonly worlds: Pick<WorldService, 'listWorlds'> },
  name: string,
): Promise<void> => {
  const same = (await worlds.listWorlds()).find((world) => world.name.toLowerCase() === name.toLowerCase())
  if (same !== undefined) throw nameTaken(same.name)
}
