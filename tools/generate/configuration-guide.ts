/** The part of `docs/configuration.md` about all config files. */
export const configurationGuide = `Settings of the game are in YAML files in \`data/config\`. You can leave out any file and any key: absent ones have their defaults. Settings of a process (ports, addresses of other services, folders) are environment variables, see [operations.md](operations.md). Accounts are in \`users.yaml\`, which is not one of these files. Change accounts with their routes and commands.

## Change a file

By hand: edit the file in \`data/config\`, then type \`/reload\` in the game, or \`/config:reload NAME\` for one file. To see what a change does before it applies, save it over HTTP:

\`\`\`sh
api=http://127.0.0.1:3000/api/admin; auth="Authorization: Bearer $TOKEN"

# The text, and its version in ETag.
curl -si -H "$auth" $api/configs/groups.yaml

# A preview of the changes and the affected accounts. Writes nothing.
curl -s -H "$auth" -H 'Content-Type: application/yaml' -X PUT --data-binary @groups.yaml "$api/configs/groups.yaml?dryRun=true"

# Save. If someone else has saved since, this returns 412 and writes nothing.
curl -s -H "$auth" -H 'Content-Type: application/yaml' -H 'If-Match: "…"' -X PUT --data-binary @groups.yaml $api/configs/groups.yaml

# Apply the saved configs in every process.
curl -s -H "$auth" -X POST $api/reload
\`\`\`

Reading needs \`admin.configs.read\`, saving \`admin.configs.write\`, reloading \`admin.server.reload\`, each with a sign-in with a password or through an identity provider. \`POST /auth/login\` returns the token, which is valid for ten minutes.

The server checks a text before it writes anything: YAML, then the schema, then the rules between keys and between files. \`422\` lists every fault with line and column. Comments and order stay as you wrote them.

The previous text becomes a revision. The server keeps the last 20. \`GET /api/admin/config-revisions/groups.yaml\` lists them, and \`?revision=…\` returns the text of one. To revert, save that text.

## When a change applies

| Effect | What applies it |
|---|---|
| now | nothing: the key is for people, no process uses it |
| reload | \`/reload\`, \`/config:reload NAME\` or \`POST /api/admin/reload\`; all processes follow within a second |
| restart | a restart; a reload reports that the file waits for one, and the previous value stays active |

The server does not start with an invalid file, and the message names each fault. A file that becomes invalid while the server runs changes nothing: its last valid version stays active. The answer of the reload, the log and the warnings of \`/readyz\` name the file until it is fixed and reloaded. The warnings also name files that wait for a restart.

## Secrets

These files have no secrets, and a key with the name of a secret is refused. A key that ends in \`Env\` has the name of an environment variable. The secret is the value of this variable in the process.

## Help in an editor

\`resources/schemas\` has a JSON Schema of each file, and \`GET /api/admin/schemas/groups.schema.json\` serves it. An editor with the YAML language server shows descriptions and faults as you type if the first line of the file names its schema:

\`\`\`yaml
# yaml-language-server: $schema=../../resources/schemas/groups.schema.json
\`\`\`

In \`skills/\` it has one more \`../\`.`
