import { useState } from 'preact/hooks'
import { Field } from '../parts/field.tsx'
import { isWay, parsePeriod, printPeriod, type ResetPeriod, ways } from './reset-period.ts'
import { words } from './words.ts'

/** How often a zone is reset; read by `readReset`. A schedule that the user does not touch stays as it is. */
export const ResetField = ({ every }: { readonly every: string | undefined }) => {
  const period = parsePeriod(every ?? 'day at 06:00')
  const [way, setWay] = useState(period.way)
  const choose = (chosen: string) => {
    if (isWay(chosen)) setWay(chosen)
  }
  return (
    <>
      <Field label={words.zone.every}>
        <select name="way" value={way} onChange={({ currentTarget }) => choose(currentTarget.value)}>
          {ways.map((one) => (
            <option key={one} value={one}>
              {words.zone.ways[one]}
            </option>
          ))}
        </select>
      </Field>
      {way === 'day' ? (
        <div class="times">
          <Field label={words.zone.resetAt}>
            <input type="time" name="resetTime" required defaultValue={period.time} />
          </Field>
          <Field label={words.zone.timeZone} hint={words.zone.resetTimeZoneHint}>
            <input name="resetTimeZone" autocomplete="off" list="time-zones" defaultValue={period.timeZone} />
          </Field>
        </div>
      ) : (
        <Field label={words.zone.amount} hint={words.zone.amountHint}>
          <input type="number" name="amount" min={1} max={99_999} required defaultValue={String(period.amount)} />
        </Field>
      )}
    </>
  )
}

/** The period of a `ResetField`. Returns `before` if it says the same, so that seconds stay. */
export const readReset = (fields: FormData, before: string | undefined): string => {
  const was = parsePeriod(before ?? 'day at 06:00')
  const text = (name: string, fallback: string): string => String(fields.get(name) ?? fallback).trim()
  const way = text('way', was.way)
  const period: ResetPeriod = {
    way: isWay(way) ? way : was.way,
    amount: Number(text('amount', String(was.amount))),
    time: text('resetTime', was.time),
    timeZone: text('resetTimeZone', was.timeZone),
  }
  const printed = printPeriod(period)
  return before !== undefined && printed === printPeriod(was) ? before : printed
}
