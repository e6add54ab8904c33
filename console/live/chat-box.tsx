import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { NameCard } from '../moderation/name-card.tsx'
import { downloadText } from '../parts/csv.ts'
import { Icon } from '../parts/icon.tsx'
import { describeProblem, ProblemBox } from '../parts/problem-box.tsx'
import { mayDo } from '../state/session.ts'
import { words } from '../words.ts'
import { Entry } from './entry.tsx'
import { enterGame, type FeedState, game, leaveGame, lines, trouble, watchChat } from './game-line.ts'

const clock = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' })

/** A reader this close to the end of the log follows it. */
const nearEndPixels = 60

/** `watching`: chat is shown without a session in the game. The log opens at its end and follows, unless the reader scrolled up. */
const Lines = ({ watching, wanted }: { readonly watching: boolean; readonly wanted: string }) => {
  const shown = lines.value.filter(({ from = '', text }) => `${from}: ${text}`.toLowerCase().includes(wanted.toLowerCase()))
  const box = useRef<HTMLDivElement>(null)
  const seen = useRef(lines.value.at(-1)?.id ?? 0)
  const last = lines.value.at(-1)?.id
  // Measured before the new lines are in the page: a long batch must not look like a reader further up.
  const element = box.current
  const isAtEnd = element === null || element.scrollHeight - element.scrollTop - element.clientHeight < nearEndPixels
  useLayoutEffect(() => {
    const isOwn = lines.peek().some((line) => line.id > seen.current && line.isOwn === true)
    seen.current = last ?? 0
    if ((isAtEnd || isOwn) && box.current !== null) box.current.scrollTop = box.current.scrollHeight
  }, [last, wanted])
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolls by keyboard.
    <div ref={box} class="lines" role="log" aria-label={words.live.log} tabIndex={0}>
      {lines.value.length === 0 && (
        <p class="quiet">{game.value === undefined && !watching ? words.live.notIn : words.live.nothingSaid}</p>
      )}
      {lines.value.length > 0 && shown.length === 0 && <p class="quiet">{words.live.noMatch}</p>}
      {shown.map(({ id, kind, from, text, at }) => (
        <p key={id} class={`line ${kind}`}>
          <time dateTime={at} title={`${at.replace('T', ' ').slice(0, 19)} UTC`}>
            {clock.format(new Date(at))}
          </time>{' '}
          {from !== undefined && (
            <>
              {mayDo('admin.users.read') && kind === 'chat' ? (
                <NameCard email={undefined} displayName={from} />
              ) : (
                <bdi>{from}</bdi>
              )}
              :{' '}
            </>
          )}
          <bdi>{text}</bdi>
        </p>
      ))}
    </div>
  )
}

/** Why the chat feed is down; undefined while it is live or connects. */
const tellFeed = (feed: FeedState): string | undefined => {
  if (feed.kind === 'live' || feed.kind === 'opening') return undefined
  if (feed.kind === 'failed') return words.live.feed.failed(describeProblem(feed.error))
  return feed.kind === 'refused' ? words.live.feed.failed(feed.text) : words.live.feed[feed.kind]
}

/** Saves the lines as a text file. */
const exportLines = (): void => {
  const content = lines.peek().map(({ at, from, text }) => `${at} ${from === undefined ? '' : `${from}: `}${text}`)
  downloadText('chat.txt', 'text/plain', `${content.join('\n')}\n`)
}

/** Live chat of the game. To write or run commands, the user enters the game. */
export const ChatBox = ({
  hasSearch = true,
}: {
  /** False next to a search of all stored chat. */
  readonly hasSearch?: boolean
}) => {
  const [error, setError] = useState<unknown>()
  const [feed, setFeed] = useState<FeedState>({ kind: 'opening' })
  const [attempt, setAttempt] = useState(0)
  const [wanted, setWanted] = useState('')
  const mayWatch = mayDo('admin.worlds.read')
  useEffect(() => {
    if (!mayWatch) return
    setFeed({ kind: 'opening' })
    return watchChat(setFeed)
  }, [mayWatch, attempt])
  const enter = () => {
    setError(undefined)
    enterGame().catch(setError)
  }
  const isIn = typeof game.value === 'object'
  const watching = feed.kind === 'live'
  // A session in the game has its own lines.
  const fault = isIn ? undefined : tellFeed(feed)
  return (
    <>
      <ProblemBox error={error} />
      {trouble.value !== '' && (
        <p class="box box-bad" role="alert">
          {trouble.value}
        </p>
      )}
      {fault !== undefined && (
        <p class="box box-warn actions" role="alert">
          <bdi>{fault}</bdi>
          <button type="button" onClick={() => setAttempt(attempt + 1)}>
            {words.tryAgain}
          </button>
        </p>
      )}
      {hasSearch && lines.value.length > 0 && (
        <search class="toolbar">
          <input
            type="search"
            aria-label={words.live.find}
            placeholder={words.live.find}
            value={wanted}
            onInput={({ currentTarget }) => setWanted(currentTarget.value)}
          />
          <button type="button" class="quiet-button" onClick={exportLines}>
            <Icon name="download" />
            {words.live.export}
          </button>
        </search>
      )}
      <Lines watching={watching} wanted={wanted.trim()} />
      {isIn ? (
        <>
          <Entry />
          <p>
            <button type="button" onClick={() => void leaveGame()}>
              {words.live.leave}
            </button>
          </p>
        </>
      ) : (
        <>
          <p class="quiet">{watching ? words.live.watching : words.live.lead}</p>
          <button type="button" class={hasSearch ? 'main' : undefined} disabled={game.value === 'entering'} onClick={enter}>
            {game.value === 'entering' ? words.working : words.live.enter}
          </button>
        </>
      )}
    </>
  )
}
