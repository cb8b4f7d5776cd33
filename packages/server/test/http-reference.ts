import { openApiOf } from '../src/openapi/document.ts';
import { routes } from '../src/route/all.ts';

interface Operation {
  readonly summary: string;
  readonly security: readonly unknown[];
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly required: boolean }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: BodySchema }>> };
}
interface BodySchema {
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly required?: readonly string[];
}

const intro = `# The HTTP API

\`@holdfast/server\` serves an engine over HTTP: a fetch handler for your own app, or a server of its own. This page is generated:
\`npx vitest run packages/server/test/reference -u\` updates it.

\`\`\`ts
import { api } from '@holdfast/server';
import { openEngine, workflow } from 'holdfast';
import { z } from 'zod';

const greet = workflow('greet', { input: z.object({ name: z.string() }) }, async ({ name }) => \`Hello \${name}\`);
const engine = await openEngine('memory:', { graphs: [greet] });

const server = api(engine, {
  graphs: { greet },
  // Ask your own session who it is. Nothing: 401.
  authorize: (request) => (request.headers.get('x-user') === 'ada' ? { by: 'ada' } : null),
});

const start = new Request('http://localhost/api/v1/runs', {
  method: 'POST',
  headers: { 'content-type': 'application/json', 'x-user': 'ada' },
  body: JSON.stringify({ graph: 'greet', input: { name: 'Ada' }, id: 'g-1' }),
});
console.log((await server.fetch(start)).status); // 201
console.log(await engine.get('g-1').result()); // Hello Ada
console.log((await server.fetch(new Request('http://localhost/api/v1/runs'))).status); // 401
await engine.close();
\`\`\`

| where | how |
|---|---|
| Hono | \`app.mount('/holdfast', server.fetch)\` |
| Express | \`app.use('/holdfast', nodeHandler(server.fetch))\` |
| Node | \`createServer(nodeHandler(server.fetch))\` |
| Next, and whatever keeps the path | \`api(engine, { basePath: '/holdfast', … })\`, then \`export const GET = server.fetch\`, \`POST\`, \`DELETE\` |
| alone | \`holdfast serve -g refunds.ts\`, or \`await serve(engine, { graphs })\` and \`server.url\` |

## Clients

\`new Client<typeof server>({ url: '/holdfast' })\` from \`@holdfast/server/client\` has a method per route, typed by
\`import type\` of the server. \`hooks<typeof server>({ url })\` from \`@holdfast/server/react\` or \`/preact\` gives \`useRun(graph, id)\`
and \`useAsks()\`. See [Streaming to a browser](streaming-to-a-browser.md).

## Who may do what

\`authorize(request)\` returns \`{ by, scope?, may?, admin?, readOnly? }\`. \`by\` stands in the records of commands. \`scope\` is a set of tags: the
caller sees, counts and changes only runs that have all of them, and runs that they start get them. A run of someone else is
answered like one that does not exist. Ids are not secrets, but two tenants cannot have the same one: give them prefixes.
A fork whose base belongs to someone else begins, for the caller, where it was forked. \`admin\` may prune and delete.

\`may(action, graph)\` decides by graph, besides all of that: \`read\`, \`start\`, \`answer\`, \`send\`, \`settle\`, \`fork\`, \`resume\`, \`cancel\`, \`prune\` or
\`delete\`. A run that may not be read does not exist for the caller, nor does its graph:

\`\`\`js
authorize: async (request) => {
  const user = await userOf(request);
  if (user === undefined) return null;
  return { by: user.name, scope: { tenant: user.tenant }, may: (action, graph) => action === 'read' || user.graphs.includes(graph) };
};
\`\`\`

\`serve\` listens on 127.0.0.1 and makes a random token. Opening the printed URL moves it into a cookie (HttpOnly, SameSite=Strict);
programs send \`Authorization: Bearer TOKEN\`. Another address needs a \`token\` of yours, or \`authorize\`.

Every request passes the same checks: Host is in \`hosts\` (421), Origin is the server's own or in \`origins\` (403), no other site sent
it (403), bodies are JSON (415) of at most 1 MB, 64 levels and 100,000 values (413), headers are at most 16 KB (431). There is no
CORS. A parameter may not be given twice (400). A caller may have 16 MB of bodies in memory (503), 250 event streams (503), and 16 MB that
wait for their readers. A client that takes more than 30 seconds for 64 kB of an answer is cut off. The limits
of messages and tags are [the engine's](../limits.md) (429). \`limits\` changes the numbers. \`readOnly: true\` refuses every command.

\`redact: ['/state/customer/email']\` hides values before they leave the server: in states, differences, questions, logs, errors, names
and tags. A key of a map counts like a field. Nobody finds a run by a tag that is hidden, records show only their structure, and
errors come without details.

Answers, messages, forks, resumes and cancels have \`by\` in their records. Starts, prunes, deletes and imports, and whatever was refused, go
to \`observe\`, as do unexpected errors and dropped readers. Without it, unexpected errors are written to stderr.

## What travels

Plain JSON. Times are ISO 8601, bigints and NaN are texts, maps are lists of pairs, sets are lists, bytes are base64. Control
characters and bidi marks are escaped. An error is \`{ error: { code, message, details? } }\`; its code is one of
[the errors](../errors.md), or begins with \`HTTP_\`. What nobody expected is \`HTTP_INTERNAL\` with an id that \`observe\` got, too.

Lists are pages: pass \`next\` as \`after\` (\`before\` for checkpoints) until it is null. A page may be shorter than its limit.

\`q\` finds runs: \`status:waiting,failed graph:refunds node:approve tag:eu tag:region=eu parent:none parent:ID fork-of:ID id:PREFIX age>1h
age<2d "text"\`. All conditions must match.

## Routes

The document is served at \`/api/v1/openapi.json\`.
`;

/** Generates docs/guides/http-api.md from the routes. */
export function httpReference(): string {
  const { paths } = openApiOf(routes) as unknown as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  };
  const sections = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => sectionOf(`${method.toUpperCase()} ${path}`, operation)),
  );
  return `${intro}\n${sections.join('\n\n')}\n`;
}

function sectionOf(title: string, { summary, parameters, requestBody }: Operation): string {
  const query = parameters.filter(({ in: where }) => where === 'query');
  const body = requestBody?.content['application/json']?.schema;
  const fields = Object.keys(body?.properties ?? {}).map((name) =>
    named(name, body?.required?.includes(name) === true),
  );
  return [
    `### ${title}`,
    '',
    summary,
    ...(query.length === 0
      ? []
      : ['', `Query: ${query.map(({ name, required }) => named(name, required)).join(', ')}.`]),
    ...(fields.length === 0 ? [] : ['', `Body: ${fields.join(', ')}.`]),
    ...(requestBody === undefined || body !== undefined
      ? []
      : ['', `Body: a file, with the content type \`${Object.keys(requestBody.content).join('`, `')}\`.`]),
  ].join('\n');
}

function named(name: string, isRequired: boolean): string {
  return isRequired ? `\`${name}\`` : `\`${name}?\``;
}
