import { createHash } from 'node:crypto'

const style = 'body{font:1rem/1.5 system-ui,sans-serif;max-width:26rem;margin:12vh auto;padding:0 1rem;color-scheme:light dark}'

/** What came back stands in the fragment, which no browser sends by itself: it leaves the address bar and goes to the listener, once. */
const script = `
const result = document.querySelector('output')
const fields = Object.fromEntries(new URLSearchParams(location.hash.slice(1)))
history.replaceState(null, '', location.pathname)
const hand = async () => {
  if (fields.token === undefined) throw new Error('Open the link that the terminal shows.')
  const answer = await fetch(location.pathname, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(fields),
  }).catch(() => {
    throw new Error('The terminal client does not listen any more; start it again.')
  })
  if (!answer.ok) throw new Error('The terminal client did not take this sign-in; start it again.')
  return 'You are signed in as ' + fields.displayName + '. You may close this page and go back to the terminal.'
}
hand().catch((error) => error.message).then((text) => {
  result.textContent = text
})`

/** What the browser sees when it comes back to the terminal client. */
export const loopbackPage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Gatehouse</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<h1>Gatehouse</h1>
<output role="status">One moment.</output>
<script>${script}</script>
</body>
</html>
`

const allow = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** This very style and script, requests to the listener, and nothing else. */
export const loopbackPagePolicy = [
  "default-src 'none'",
  `style-src ${allow(style)}`,
  `script-src ${allow(script)}`,
  "connect-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')
