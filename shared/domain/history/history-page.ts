import { promisify } from 'node:util'
import { deflateRaw, inflateRawSync } from 'node:zlib'
import { type BlockChange, changeWays } from './block-change.ts'
import { createPageText, readPageText } from './page-text.ts'

const deflate = promisify(deflateRaw)

/** The first byte of a page. */
const forms = { open: 1, closed: 2 } as const
const undoesFlag = 8

/** The newest page of a history. Each change is stored as its difference to the previous one, and each text once. */
export type OpenPage = {
  add(change: Omit<BlockChange, 'at'>, at: number): void
  count(): number
  /** The time of its last change; 0 while it is empty. */
  lastAt(): number
  firstAt(): number
  /** Returns a function that removes everything added since this call. */
  mark(): () => void
  open(): Uint8Array
  closed(): Promise<Uint8Array>
}

export const createOpenPage = (): OpenPage => {
  const text = createPageText()
  text.putNumber(forms.open)
  const places = new Map<string, number>()
  const texts: string[] = []
  let last = { at: 0, x: 0, y: 0, z: 0 }
  let count = 0
  let firstAt = 0

  const putShared = (shared: string): void => {
    const index = places.get(shared)
    text.putNumber(index ?? texts.length)
    if (index !== undefined) return
    places.set(shared, texts.length)
    texts.push(shared)
    text.putText(shared)
  }

  return {
    add: ({ by, via, x, y, z, from, to, undoes, module = '' }, at) => {
      text.putSigned(at - last.at)
      putShared(by)
      text.putNumber(changeWays.indexOf(via) + (undoes === undefined ? 0 : undoesFlag))
      if (undoes !== undefined) putShared(undoes)
      if (via === 'module') putShared(module)
      text.putSigned(x - last.x)
      text.putSigned(y - last.y)
      text.putSigned(z - last.z)
      putShared(from)
      putShared(to)
      last = { at, x, y, z }
      if (count === 0) firstAt = at
      count += 1
    },
    count: () => count,
    lastAt: () => last.at,
    firstAt: () => firstAt,
    mark: () => {
      const before = { length: text.length(), texts: texts.length, last, count, firstAt }
      return () => {
        text.cutTo(before.length)
        for (const shared of texts.splice(before.texts)) places.delete(shared)
        ;({ last, count, firstAt } = before)
      }
    },
    open: text.take,
    closed: async () => Buffer.concat([Buffer.from([forms.closed]), await deflate(text.take().subarray(1))]),
  }
}

/** The changes of a page, oldest first. Throws RangeError if the page is damaged. */
export const readHistoryPage = (page: Uint8Array): readonly BlockChange[] => {
  const [form] = page
  if (form !== forms.open && form !== forms.closed) throw new RangeError('The page has an unknown format.')
  const text = readPageText(form === forms.open ? page.subarray(1) : inflateRawSync(page.subarray(1)))
  const texts: string[] = []
  const getShared = (): string => {
    const place = text.getNumber()
    if (place === texts.length) texts.push(text.getText())
    const shared = texts[place]
    if (shared === undefined) throw new RangeError('The page refers to a text that it does not contain.')
    return shared
  }
  const changes: BlockChange[] = []
  let last = { at: 0, x: 0, y: 0, z: 0 }
  while (!text.isAtEnd()) {
    const at = last.at + text.getSigned()
    const by = getShared()
    const flags = text.getNumber()
    const via = changeWays[flags % undoesFlag]
    if (via === undefined) throw new RangeError('The page has an unknown way of change.')
    const undoes = flags >= undoesFlag ? { undoes: getShared() } : {}
    const name = via === 'module' ? getShared() : ''
    const module = name === '' ? {} : { module: name }
    const [x, y, z] = [last.x + text.getSigned(), last.y + text.getSigned(), last.z + text.getSigned()]
    last = { at, x, y, z }
    changes.push({ at, by, via, x, y, z, from: getShared(), to: getShared(), ...undoes, ...module })
  }
  return changes
}
