import { useState } from 'preact/hooks'
import { Field } from '../parts/field.tsx'
import { words } from './words.ts'
import type { Zone } from './zone.ts'

type Hours = NonNullable<Zone['hours']>
type Range = Hours[number]
type Row = { readonly id: number; readonly range: Range }

const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
const workdays: Range = { days: ['mon', 'tue', 'wed', 'thu', 'fri'], from: '18:00', to: '23:00' }

/** The weekly hours in which a zone is active, and their time zone; read by `readHours`. */
export const HoursField = ({ zone: { hours = [], timeZone } }: { readonly zone: Zone }) => {
  const [rows, setRows] = useState<readonly Row[]>(hours.map((range, id) => ({ id, range })))
  const [nextId, setNextId] = useState(hours.length)
  const add = () => {
    setRows([...rows, { id: nextId, range: workdays }])
    setNextId(nextId + 1)
  }
  return (
    <fieldset>
      <legend>{words.zone.hours}</legend>
      <p class="quiet">{words.zone.hoursHint}</p>
      {rows.map(({ id, range: { days, from, to } }, at) => (
        <fieldset key={id}>
          <legend>{words.zone.range(at + 1)}</legend>
          <input type="hidden" name="range" value={id} />
          <div class="tags">
            {weekdays.map((day) => (
              <label key={day} class="check">
                <input type="checkbox" name={`days-${id}`} value={day} defaultChecked={days.includes(day)} />
                {words.zone.days[day]}
              </label>
            ))}
          </div>
          <div class="times">
            <Field label={words.zone.from}>
              <input type="time" name={`from-${id}`} required defaultValue={from} />
            </Field>
            <Field label={words.zone.to}>
              <input type="time" name={`to-${id}`} required defaultValue={to} />
            </Field>
          </div>
          <p class="quiet">{words.zone.toHint}</p>
          <button type="button" onClick={() => setRows(rows.filter((row) => row.id !== id))}>
            {words.zone.removeRange}
          </button>
        </fieldset>
      ))}
      <button type="button" onClick={add}>
        {words.zone.addRange}
      </button>
      <Field label={words.zone.timeZone} hint={words.zone.timeZoneHint}>
        <input name="timeZone" autocomplete="off" list="time-zones" defaultValue={timeZone ?? ''} />
        <datalist id="time-zones">
          {Intl.supportedValuesOf('timeZone').map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
      </Field>
    </fieldset>
  )
}

/** The hours and the time zone of a `HoursField`, as a schedule has them. */
export const readHours = (fields: FormData): Pick<Zone, 'hours' | 'timeZone'> => {
  const hours = fields.getAll('range').map(
    (id): Range => ({
      days: weekdays.filter((day) => fields.getAll(`days-${id}`).includes(day)),
      from: String(fields.get(`from-${id}`)),
      to: String(fields.get(`to-${id}`)),
    }),
  )
  const timeZone = String(fields.get('timeZone') ?? '').trim()
  return { ...(hours.length > 0 && { hours }), ...(timeZone !== '' && { timeZone }) }
}
