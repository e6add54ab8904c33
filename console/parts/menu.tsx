import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { Icon, type IconName } from './icon.tsx'

type MenuProps = {
  /** The accessible name of the button. */
  readonly label: string
  /** The face of the button. Default: three dots. */
  readonly face?: ComponentChildren
  readonly class?: string
  /** The face is a text that names the button. */
  readonly hasText?: boolean
  /** Opens the menu when it first appears. */
  readonly startsOpen?: boolean
  readonly children: ComponentChildren
}

const gapPx = 4
const edgePx = 8

/** Places the menu under its button, or above it where there is more room, and inside the window. */
const place = (button: HTMLElement, menu: HTMLElement): void => {
  const at = button.getBoundingClientRect()
  const { offsetWidth: width, offsetHeight: height } = menu
  const below = at.bottom + gapPx
  const top = below + height + edgePx <= innerHeight ? below : Math.max(edgePx, at.top - gapPx - height)
  const start = at.left + width + edgePx <= innerWidth ? at.left : at.right - width
  menu.style.top = `${top}px`
  menu.style.left = `${Math.max(edgePx, start)}px`
}

const moves: Readonly<Record<string, (at: number, count: number) => number>> = {
  ArrowDown: (at, count) => (at + 1) % count,
  ArrowUp: (at, count) => (at - 1 + count) % count,
  Home: () => 0,
  End: (_at, count) => count - 1,
}

/** A button that opens a menu. Arrow keys move in it; Escape and a click outside close it. */
export const Menu = ({
  label,
  face = <Icon name="more" />,
  class: look = 'plain',
  hasText = false,
  startsOpen = false,
  children,
}: MenuProps) => {
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const menu = useRef<HTMLDivElement>(null)
  const id = useId()
  const list = () => [...(menu.current?.querySelectorAll<HTMLElement>('[role^=menuitem]:not(:disabled)') ?? [])]
  useEffect(() => {
    if (startsOpen) menu.current?.showPopover()
  }, [])
  useEffect(() => {
    if (!isOpen || button.current === null || menu.current === null) return undefined
    place(button.current, menu.current)
    list()[0]?.focus()
    const close = () => menu.current?.hidePopover()
    const onScroll = ({ target }: Event) => {
      if (!(target instanceof Node && menu.current?.contains(target))) close()
    }
    addEventListener('resize', close)
    addEventListener('scroll', onScroll, true)
    return () => {
      removeEventListener('resize', close)
      removeEventListener('scroll', onScroll, true)
    }
  }, [isOpen])
  const onKeyDown = (event: KeyboardEvent) => {
    const items = list()
    const to = moves[event.key]
    if (event.key === 'Tab') menu.current?.hidePopover()
    if (to === undefined || items.length === 0) return
    event.preventDefault()
    items[to(items.indexOf(document.activeElement as HTMLElement), items.length)]?.focus()
  }
  return (
    <>
      <button
        ref={button}
        type="button"
        class={look}
        aria-label={hasText ? undefined : label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        popovertarget={id}
      >
        {face}
      </button>
      <div
        ref={menu}
        id={id}
        popover="auto"
        role="menu"
        tabIndex={-1}
        aria-label={label}
        class="menu"
        onKeyDown={onKeyDown}
        onToggle={({ newState }) => setOpen(newState === 'open')}
        onClick={({ target }) => target instanceof Element && target.closest('[role=menuitem]') && menu.current?.hidePopover()}
      >
        {/* A closed menu has no items, so that a long list of rows stays light. */}
        {isOpen && children}
      </div>
    </>
  )
}

type ItemProps = {
  readonly icon?: IconName
  readonly isBad?: boolean
  readonly children: ComponentChildren
} & ({ readonly href: string; readonly act?: undefined } | { readonly act: () => void; readonly href?: undefined })

/** An action or a link in a menu. */
export const MenuItem = ({ icon, isBad = false, children, href, act }: ItemProps) => {
  const look = isBad ? 'menu-item bad-text' : 'menu-item'
  const face = (
    <>
      {icon !== undefined && <Icon name={icon} />}
      {children}
    </>
  )
  return href !== undefined ? (
    <a role="menuitem" tabIndex={-1} class={look} href={href}>
      {face}
    </a>
  ) : (
    <button type="button" role="menuitem" tabIndex={-1} class={look} onClick={act}>
      {face}
    </button>
  )
}
