import { createHash } from 'node:crypto'
import { route } from '../http/route.ts'

const style = `
:root{color-scheme:light dark}body{font:1rem/1.5 system-ui,sans-serif;max-width:26rem;margin:12vh auto;padding:0 1rem}
label{display:block;margin:.8rem 0}input{display:block;width:100%;box-sizing:border-box;padding:.5rem;font:inherit}
input[type=radio]{display:inline;width:auto}
button{padding:.5rem 1rem;font:inherit}
output{display:block;margin:.8rem 0}
pre{padding:.8rem;border:1px solid;border-radius:.3rem;white-space:pre-wrap;overflow-wrap:anywhere;user-select:all}`

/** The claim is in the fragment. Browsers do not send fragments, and proxies do not log them. */
const script = `
const form = document.querySelector('form')
const result = document.querySelector('output')
const next = document.querySelector('section')
const command = document.querySelector('pre')
const quote = (word) => (/^[\\w.@+-]+$/.test(word) ? word : "'" + word.replaceAll("'", "'\\\\''") + "'")
const explain = (problem) => [problem.detail, ...(problem.errors ?? []).map((fault) => fault.pointer + ' ' + fault.message)].join(' ')
if (location.hash.length < 2) {
  form.hidden = true
  result.textContent = 'Open the claim link. It is in the terminal where the server was started, and works once, within 24 hours. If you cannot find it, restart the server: it prints a new link if no one has claimed it yet.'
}
form.addEventListener('submit', async (event) => {
  event.preventDefault()
  const fields = new FormData(form)
  const body = { claim: location.hash.slice(1), email: fields.get('email'), password: fields.get('password'), requirePassword: fields.get('players') === 'password' }
  if (fields.get('displayName')) body.displayName = fields.get('displayName')
  result.textContent = 'One moment.'
  try {
    const answer = await fetch('auth/claim', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
    const content = await answer.json()
    if (!answer.ok) throw new Error(explain(content))
    form.hidden = true
    history.replaceState(null, '', location.pathname)
    result.textContent = content.displayName + ' is now the administrator, and signs in with ' + body.email + '.'
    command.textContent = 'npm run play -- --email ' + quote(body.email) + ' --password - --url ' + location.href.replace(/\\/claim([?#].*)?$/, '')
    next.hidden = false
  } catch (error) {
    result.textContent = error.message
  }
})`

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Claim this Gatehouse</title>
<style>${style}</style>
</head>
<body>
<h1>Claim this Gatehouse</h1>
<p>You create its administrator account here. This works once.</p>
<form>
<label>Email <input name="email" type="email" required autofocus autocomplete="username" maxlength="254"></label>
<label>Password, at least 8 characters <input name="password" type="password" required autocomplete="new-password" minlength="8" maxlength="72"></label>
<label>Display name (optional) <input name="displayName" autocomplete="nickname" maxlength="32"></label>
<fieldset>
<legend>How do players sign in?</legend>
<label><input type="radio" name="players" value="password" checked> With a password or an invitation (recommended)</label>
<label><input type="radio" name="players" value="email"> With any email, for testing</label>
</fieldset>
<button>Claim server</button>
</form>
<output role="status"></output>
<section hidden>
<p>To play, run this in Gatehouse's folder. It asks for the password:</p>
<pre></pre>
</section>
<script>${script}</script>
</body>
</html>
`

const allow = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** Only this style and script, and requests to this server. */
const contentSecurityPolicy = [
  "default-src 'none'",
  `style-src ${allow(style)}`,
  `script-src ${allow(script)}`,
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/**
 * The target of the link that a server without an administrator prints. Redirects to the console, or serves this small page if
 * the console is not built. The claim is the fragment of the link, and browsers keep the fragment in redirects.
 */
export const claimPage = route({
  method: 'get',
  path: '/claim',
  permission: 'none',
  operationId: 'openClaimPage',
  summary: 'A page to claim the administrator account.',
  ignoresQuery: true,
  responses: { 200: 'The page.', 302: 'Redirects to the console, which has the same form.' },
  handle: async ({ pages }) =>
    (await pages.findPage('console')) === undefined
      ? {
          status: 200,
          body: page,
          contentType: 'text/html; charset=utf-8',
          headers: { 'Content-Security-Policy': contentSecurityPolicy, 'Referrer-Policy': 'no-referrer' },
        }
      : { status: 302, headers: { Location: 'console', 'Referrer-Policy': 'no-referrer' } },
})
