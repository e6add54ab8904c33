import { useEffect, useRef, useState } from 'preact/hooks'
import { FollowedJob } from '../jobs/followed-job.tsx'
import { Copyable } from '../parts/copyable.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Field } from '../parts/field.tsx'
import { ProblemBox } from '../parts/problem-box.tsx'
import { formatSize } from '../parts/size.ts'
import { uploadWorld } from '../state/upload-world.ts'
import { words } from '../words.ts'

/** The server refuses larger files. */
const bytesMax = 4 * 1024 ** 3

const namePattern = '[A-Za-z0-9_\\-]{1,64}'

/** The name in the file name, such as `north.world`, without characters that names of worlds do not have. */
const nameFromFile = ({ name }: File): string =>
  name
    .replace(/\.world(\.gz)?$|\.gz$/i, '')
    .replaceAll(/[^A-Za-z0-9_-]/g, '-')
    .slice(0, 64)

/** Why a chosen file cannot be imported here. */
const findObstacle = (file: File | undefined): string | undefined => {
  if (file === undefined) return undefined
  if (/\.(zip|mcworld)$/i.test(file.name)) return words.worlds.importZip
  return file.size > bytesMax ? words.worlds.importTooLarge : undefined
}

type Sent = { readonly share: number; readonly stop: AbortController }

const Upload = ({ file, share }: { readonly file: File; readonly share: number }) => (
  <div role="status">
    <p>
      <progress max={1} value={share} aria-label={words.worlds.uploadOf(file.name)} />{' '}
      {share < 1
        ? words.worlds.uploading(Math.floor(share * 100), formatSize(file.size * share), formatSize(file.size))
        : words.worlds.checking}
    </p>
  </div>
)

/** The command for files and folders that are on the machine of the server. */
const OnTheServer = () => (
  <details>
    <summary>{words.worlds.importElse}</summary>
    <p>{words.worlds.importLead}</p>
    <Copyable text="npm run world -- import FILE NAME" label={words.worlds.importCommand} />
  </details>
)

/** Uploads the file of a world, and follows the job that imports it. */
export const ImportWorld = ({ close, done }: { readonly close: () => void; readonly done: () => void }) => {
  const [file, setFile] = useState<File>()
  const [name, setName] = useState('')
  const [sent, setSent] = useState<Sent>()
  const [job, setJob] = useState<string>()
  const [error, setError] = useState<unknown>()
  const stopping = useRef<AbortController | undefined>(undefined)
  useEffect(() => () => stopping.current?.abort(), [])
  const obstacle = findObstacle(file)
  const choose = (chosen: File | undefined) => {
    setFile(chosen)
    setError(undefined)
    if (chosen !== undefined && name === '') setName(nameFromFile(chosen))
  }
  const send = async (event: SubmitEvent) => {
    event.preventDefault()
    if (file === undefined || obstacle !== undefined || sent !== undefined) return
    const stop = new AbortController()
    stopping.current = stop
    setError(undefined)
    setSent({ share: 0, stop })
    try {
      const onProgress = (share: number) => setSent({ share, stop })
      setJob((await uploadWorld(name.trim(), file, { onProgress, signal: stop.signal })).id)
    } catch (problem) {
      if (!stop.signal.aborted) setError(problem)
    }
    setSent(undefined)
  }
  if (job !== undefined)
    return (
      <Dialog title={words.worlds.importTitle} close={close}>
        <FollowedJob id={job} started={words.worlds.importStarted(name)} done={done} />
        <footer>
          <button type="button" class="main" onClick={close}>
            {words.close}
          </button>
        </footer>
      </Dialog>
    )
  return (
    <Dialog title={words.worlds.importTitle} close={close}>
      <form onSubmit={(event) => void send(event)}>
        <Field label={words.worlds.importFile} hint={words.worlds.importFileHint}>
          <input
            type="file"
            required
            disabled={sent !== undefined}
            accept=".world,.gz,application/gzip"
            onChange={({ currentTarget }) => choose(currentTarget.files?.[0])}
          />
        </Field>
        {obstacle !== undefined && <p class="box box-warn">{obstacle}</p>}
        <Field label={words.worlds.newName} hint={words.worlds.nameHint}>
          <input
            required
            pattern={namePattern}
            maxLength={64}
            autocomplete="off"
            disabled={sent !== undefined}
            value={name}
            onInput={({ currentTarget }) => {
              setName(currentTarget.value)
              setError(undefined)
            }}
          />
        </Field>
        {sent !== undefined && file !== undefined && <Upload file={file} share={sent.share} />}
        <ProblemBox error={error} />
        {sent === undefined && <OnTheServer />}
        <footer>
          <button type="button" onClick={() => (sent === undefined ? close() : sent.stop.abort())}>
            {sent === undefined ? words.cancel : words.worlds.stopUpload}
          </button>
          <button type="submit" class="main" disabled={sent !== undefined || obstacle !== undefined}>
            {sent === undefined ? words.worlds.importAct : words.working}
          </button>
        </footer>
      </form>
    </Dialog>
  )
}
