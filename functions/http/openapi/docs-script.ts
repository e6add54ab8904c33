/**
 * The script of the API page: search, copy buttons, the current section in the menu, and requests with the token of the tab. The page
 * works without it. It writes text only, never markup.
 */
export const docsScript = `'use strict'
const make = (name, { text = '', ...attributes } = {}) => {
  const element = document.createElement(name)
  if (text !== '') element.textContent = text
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value)
  return element
}
const tokenKey = 'gatehouse.token'
const readToken = () => { try { return sessionStorage.getItem(tokenKey) ?? '' } catch { return '' } }

// Copy buttons
for (const figure of document.querySelectorAll('figure')) {
  const button = make('button', { type: 'button', text: 'Copy', 'aria-label': 'Copy: ' + (figure.closest('section')?.querySelector('h3')?.textContent ?? '') })
  button.addEventListener('click', async () => {
    const pre = figure.querySelector('pre')
    try {
      await navigator.clipboard.writeText(pre.textContent)
      button.textContent = 'Copied'
      setTimeout(() => { button.textContent = 'Copy' }, 2000)
    } catch {
      // Without HTTPS a page cannot copy.
      getSelection().selectAllChildren(pre)
      button.textContent = 'Selected: press Ctrl+C'
    }
  })
  figure.querySelector('figcaption').append(button)
}

// Search
const nav = document.querySelector('nav')
const search = make('input', { type: 'search', class: 'search', placeholder: 'Search  /', 'aria-label': 'Search the API' })
const found = make('p', { role: 'status' })
nav.before(search, found)
// On a narrow screen the menu is closed until it is opened, or searched.
const side = nav.parentElement
nav.id = 'menu'
const menu = make('button', { type: 'button', class: 'menu', text: 'Menu', 'aria-controls': 'menu' })
const showMenu = (isOpen) => {
  side.classList.toggle('closed', !isOpen)
  menu.setAttribute('aria-expanded', String(isOpen))
}
showMenu(false)
menu.addEventListener('click', () => showMenu(side.classList.contains('closed')))
nav.addEventListener('click', ({ target }) => { if (target.closest('a') !== null) showMenu(false) })
side.addEventListener('keydown', ({ key }) => { if (key === 'Escape') showMenu(false) })
search.before(menu)
const links = [...nav.querySelectorAll('details li')].map((item) => {
  const section = document.getElementById(item.querySelector('a').hash.slice(1))
  return { item, section, words: (item.querySelector('a').title + ' ' + section.id + ' ' + section.querySelector('.columns p + p').textContent).toLowerCase() }
})
search.addEventListener('input', () => {
  showMenu(search.value !== '')
  const wanted = search.value.trim().toLowerCase().split(/ +/)
  let count = 0
  for (const { item, section, words } of links) {
    const isShown = wanted.every((word) => words.includes(word))
    item.hidden = section.hidden = !isShown
    if (isShown) count += 1
  }
  for (const group of nav.querySelectorAll('details')) group.hidden = [...group.querySelectorAll('li')].every((item) => item.hidden)
  found.textContent = search.value === '' ? '' : count === 1 ? '1 route' : count + ' routes'
})
addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.target.closest('input, textarea')) return
  event.preventDefault()
  search.focus()
})

// The current section in the menu
const linkOf = new Map(links.map(({ item, section }) => [section, item.querySelector('a')]))
const seen = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) {
    if (!isIntersecting) continue
    for (const link of linkOf.values()) link.removeAttribute('aria-current')
    const link = linkOf.get(target)
    link.setAttribute('aria-current', 'true')
    // Only the menu scrolls. scrollIntoView() would also scroll the page.
    const [from, to] = [link.getBoundingClientRect(), side.getBoundingClientRect()]
    if (from.top < to.top) side.scrollTop += from.top - to.top
    else if (from.bottom > to.bottom) side.scrollTop += from.bottom - to.bottom
  }
}, { rootMargin: '0px 0px -80% 0px' })
for (const section of linkOf.keys()) seen.observe(section)

// A type or problem that a link leads to is opened.
const openTarget = () => {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)))
  if (target?.tagName === 'DETAILS') target.open = true
}
addEventListener('hashchange', openTarget)
openTarget()

// Requests
const field = (form, name, label, value, isLong) => {
  const line = make('label', { text: label })
  const input = make(isLong ? 'textarea' : 'input', { name, ...(isLong ? { rows: '8', spellcheck: 'false' } : { autocomplete: 'off' }) })
  input.value = value
  line.append(input)
  form.append(line)
  return input
}
const addressOf = (section, form) => {
  let path = section.dataset.path
  const query = new URLSearchParams()
  for (const spec of section.dataset.fields.split(' ').filter(Boolean)) {
    const name = spec.slice(1).replace('*', '')
    const value = form.elements.namedItem('p-' + name).value
    if (spec.startsWith('/')) path = path.replace('{' + name + '}', value.split('/').map(encodeURIComponent).join('/'))
    else if (value !== '') query.set(name, value)
  }
  return '..' + path + (query.size > 0 ? '?' + query : '')
}
const openTry = (section, opener) => {
  const { method, fields, type, body } = section.dataset
  const form = make('form', { class: 'try' })
  form.append(make('h4', { text: 'Try it' }))
  for (const spec of fields.split(' ').filter(Boolean)) {
    const name = spec.slice(1).replace('*', '')
    const input = field(form, 'p-' + name, name, '')
    if (spec.endsWith('*')) input.required = true
  }
  if (type !== undefined) field(form, 'body', 'Body', body, true)
  const token = field(form, 'token', 'Token (of your sign-in in this tab, or an API token)', readToken())
  token.type = 'password'
  if (method !== 'get') form.append(make('p', { class: 'bad', text: 'This request changes data on this server.' }))
  const send = make('button', { class: 'main', text: 'Send ' + method.toUpperCase() })
  const answer = make('div', { role: 'status' })
  form.append(send, answer)
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    send.disabled = true
    answer.textContent = 'Waiting for the answer…'
    const begun = performance.now()
    try {
      const response = await fetch(addressOf(section, form), {
        method: method.toUpperCase(),
        headers: { ...(token.value !== '' && { Authorization: 'Bearer ' + token.value }), ...(type !== undefined && { 'Content-Type': type }) },
        ...(type !== undefined && { body: form.elements.namedItem('body').value }),
      })
      const text = await response.text()
      let shown = text
      try { shown = JSON.stringify(JSON.parse(text), null, 2) } catch {}
      const figure = make('figure')
      const caption = make('figcaption')
      caption.append(make('code', { class: response.ok ? 'good' : 'bad', text: response.status + ' ' + response.statusText }), make('span', { text: Math.round(performance.now() - begun) + ' ms' }))
      const wait = response.headers.get('Retry-After')
      if (wait !== null) caption.append(make('span', { text: 'Try again in ' + wait + ' s.' }))
      figure.append(caption, make('pre', { text: shown.slice(0, 20000) || '(empty)', tabindex: '0' }))
      answer.replaceChildren(figure)
    } catch {
      answer.textContent = 'The server does not answer. Check that it runs, and try again.'
    }
    send.disabled = false
  })
  opener.replaceWith(form)
  form.querySelector('input, textarea, button').focus()
}
for (const section of document.querySelectorAll('section.operation')) {
  const opener = make('button', { type: 'button', text: 'Try it', 'aria-label': 'Try it: ' + section.querySelector('h3').textContent })
  opener.addEventListener('click', () => openTry(section, opener))
  section.querySelector('.examples').append(opener)
}
`
