import { Copyable } from '../parts/copyable.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { words } from '../words.ts'

/** The commands to run, export, rename and delete a world, each with a copy button. */
export const CommandsDialog = ({
  world,
  isRunning,
  close,
}: {
  readonly world: string
  readonly isRunning: boolean
  readonly close: () => void
}) => {
  const commands = [
    [words.worlds.run, `GAME_WORLD_NAME=${world} npm start`],
    [words.worlds.export, `npm run world -- export ${world} ${world}.world`],
    [words.worlds.rename, `npm run world -- rename ${world} NEW_NAME`],
    [words.worlds.delete, `npm run world -- delete ${world}`],
  ] as const
  return (
    <Dialog title={words.worlds.commandsOf(world)} close={close}>
      <p class="quiet">{words.worlds.commandsLead}</p>
      {isRunning && <p class="box">{words.worlds.running}</p>}
      {commands.map(([label, command]) => (
        <section key={label}>
          <h3>{label}</h3>
          <Copyable text={command} label={label} />
        </section>
      ))}
    </Dialog>
  )
}
