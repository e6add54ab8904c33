import type { Answer } from '../../sdk/admin.ts'
import { FormDialog } from '../parts/dialog.tsx'
import { Field } from '../parts/field.tsx'
import { Loading } from '../parts/loading.tsx'
import { Named } from '../parts/named.tsx'
import { tell } from '../parts/toasts.tsx'
import { call } from '../state/api.ts'
import { useLoad } from '../state/load.ts'
import { words } from '../words.ts'

export type Player = Answer<'GET /api/admin/players'>['body']['players'][number]

type Props = { readonly player: Player; readonly close: () => void }

export const KickDialog = ({ player, close }: Props) => (
  <FormDialog
    title={<Named say={words.players.kickTitle} names={[player.displayName]} />}
    action={words.players.kick}
    isBad
    close={close}
    submit={async (fields) => {
      const reason = String(fields.get('reason')).trim()
      const params = { playerId: player.playerId }
      await call('POST /api/admin/players/{playerId}/kick', { params, body: { ...(reason !== '' && { reason }) } })
      tell(<Named say={words.players.kicked} names={[player.displayName]} />)
    }}
  >
    <Field label={words.players.reason}>
      <input name="reason" maxLength={200} autocomplete="off" />
    </Field>
  </FormDialog>
)

export const MessageDialog = ({ player, close }: Props) => (
  <FormDialog
    title={<Named say={words.players.messageTitle} names={[player.displayName]} />}
    action={words.players.message}
    close={close}
    submit={async (fields) => {
      const params = { playerId: player.playerId }
      await call('POST /api/admin/players/{playerId}/message', { params, body: { text: String(fields.get('text')).trim() } })
      tell(<Named say={words.players.sent} names={[player.displayName]} />)
    }}
  >
    <Field label={words.players.text}>
      <input name="text" required maxLength={500} autocomplete="off" />
    </Field>
  </FormDialog>
)

/** Moves the player to another player of the same world, or to a place. */
export const TeleportDialog = ({ player, close }: Props) => {
  const others = useLoad(
    async (signal) => {
      const query = { limit: 200, world: player.world }
      const { players } = (await call('GET /api/admin/players', { query, signal })).body
      return players.filter(({ playerId }) => playerId !== player.playerId)
    },
    [player.playerId],
  )
  return (
    <FormDialog
      title={<Named say={words.players.teleportTitle} names={[player.displayName]} />}
      action={words.players.teleport}
      close={close}
      submit={async (fields) => {
        const to = String(fields.get('to'))
        const [x = 0, y = 0, z = 0] = String(fields.get('place'))
          .trim()
          .split(/[\s,]+/)
          .map(Number)
        const params = { playerId: player.playerId }
        await call('POST /api/admin/players/{playerId}/teleport', { params, body: to === '' ? { x, y, z } : { playerId: to } })
        tell(<Named say={words.players.teleported} names={[player.displayName]} />)
      }}
    >
      <Loading of={others}>
        {(all) => (
          <Field label={words.players.to}>
            <select name="to">
              <option value="">{words.players.aPlace}</option>
              {all.map(({ playerId, displayName }) => (
                <option key={playerId} value={playerId}>
                  {displayName}
                </option>
              ))}
            </select>
          </Field>
        )}
      </Loading>
      <Field label={words.why.place} hint={words.players.placeHint}>
        <input
          name="place"
          pattern="\s*-?\d+[\s,]+-?\d+[\s,]+-?\d+\s*"
          autocomplete="off"
          defaultValue={[player.position.x, player.position.y, player.position.z].map(Math.floor).join(' ')}
        />
      </Field>
    </FormDialog>
  )
}
