/** What holds for every config file: the part of `docs/configuration.md` that a person writes. */
export const configurationGuide = `Settings of the game stand in YAML files in \`data/config\`. Each file, and each key in it, may be left out: what is absent has its default. Settings of a process (ports, addresses of other services, folders) are environment variables, see [operations.md](operations.md). Accounts are in \`users.yaml\`, which is not one of these files: change it by the routes and commands for accounts.

## Change a file

By hand: edit the file in \`data/config\`, then type \`/reload\` in the game, or \`/config:reload NAME\` for one file. To see what a change does before it applies, save it over HTTP:

\`\`\`sh
api=http://127.0.0.1:3000/api/admin; auth="Authorization: Bearer $TOKEN"

# The text, and in ETag what names this state of it.
curl -si -H "$auth" $api/configs/groups.yaml

# What would change and whom it touches; nothing is written.
curl -s -H "$auth" -H 'Content-Type: application/yaml' -X PUT --data-binary @groups.yaml "$api/configs/groups.yaml?dryRun=true"

# Save, unless somebody else saved since: then 412, and nothing is written.
curl -s -H "$auth" -H 'Content-Type: application/yaml' -H 'If-Match: "…"' -X PUT --data-binary @groups.yaml $api/configs/groups.yaml

# Bring what is saved into force, in every process.
curl -s -H "$auth" -X POST $api/reload
\`\`\`

Reading needs \`admin.configs.read\`, saving \`admin.configs.write\`, reloading \`admin.server.reload\`, each with a sign-in by password or by an identity provider. The token is what \`POST /auth/login\` answers; it lives ten minutes.

A text is checked before anything is written: YAML, then the schema, then the rules between keys and between files. \`422\` lists every fault with line and column. Comments and order stay as you wrote them.

The text before a save becomes a revision; the last 20 are kept. \`GET /api/admin/config-revisions/groups.yaml\` lists them, \`?revision=…\` answers the text of one. To go back, save that text.

## When a change counts

| In force | It takes |
|---|---|
| now | nothing: the key is for people, no process goes by it |
| reload | \`/reload\`, \`/config:reload NAME\` or \`POST /api/admin/reload\`; all processes follow within a second |
| restart | a restart; a reload says that the file waits for one, and the value before stays in force |

A file that is broken keeps the server from starting, and the message names each fault. A file that breaks while the server runs changes nothing: its last good version stays active. The answer of the reload, the log and the warnings of \`/readyz\` name the file until it is fixed and reloaded. The warnings also name files that wait for a restart.

## Secrets

No secret stands in these files, and a key that is named like one is refused. A key that ends in \`Env\` holds the name of an environment variable; the secret is the value of that variable where the process is started.

## Help in an editor

\`resources/schemas\` holds a JSON Schema of each file, and \`GET /api/admin/schemas/groups.schema.json\` serves it. An editor with the YAML language server shows descriptions and faults as you type when the first line of the file names its schema:

\`\`\`yaml
# yaml-language-server: $schema=../../resources/schemas/groups.schema.json
\`\`\`

In \`skills/\` it is one \`../\` more.`
