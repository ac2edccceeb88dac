import { glob, readFile } from 'node:fs/promises';
import path from 'node:path';
import { apiExamples } from '../src/api-examples.ts';
import { apiGuide } from '../src/api-guide.ts';
import { createParts } from '../src/composition/parts.ts';
import { readConfig, variables } from '../src/config/index.ts';
import type { Variable } from '../src/config/variable.ts';
import { migrateDatabase } from '../src/database.ts';
import { type Handling, rejectCodes } from '../src/debit-requests/index.ts';
import { eventTypes } from '../src/events/index.ts';
import { mandateTransitions } from '../src/mandates/index.ts';
import { packageRoot } from '../src/package-root.ts';
import { refusalStatuses } from '../src/platform/errors.ts';
import { type Described, llmsText } from '../src/platform/http/llms.ts';
import type { AnsweredExamples } from '../src/platform/http/openapi.ts';
import { createLog } from '../src/platform/log.ts';
import { createMetrics } from '../src/platform/metrics.ts';
import { connect, type Sql } from '../src/platform/postgres/connect.ts';
import { dumpSchema } from '../src/platform/postgres/schema-dump.ts';
import { alone } from '../src/platform/processes/rates.ts';
import { allCodes } from '../src/qr/index.ts';
import { transitions } from '../src/requests/index.ts';
import { simulatedRules } from '../src/sandbox/index.ts';
import { seedSandbox } from '../src/seed.ts';
import { createApp } from '../src/server.ts';
import { payloads } from '../src/webhooks/http.ts';
import { tasks } from './agent-tasks.ts';
import { apiReference, type OpenApi } from './api-reference.ts';
import { asvsDocument } from './asvs.ts';
import { auditedColumns } from './audited-columns.ts';
import { clientTypes } from './client-types.ts';
import { commandTables } from './command-tables.ts';
import { connectorOpenApi } from './connector-openapi.ts';
import { connectorMessages, paywayRefusals } from './connector-tables.ts';
import { answerExamples } from './example-answers.ts';
import { personalColumnsTable } from './personal-columns.ts';
import { portalMatrix } from './portal-matrix.ts';
import { railLayouts } from './rail-layouts.ts';
import { withoutReferences } from './references.ts';
import { declaredCodes, refusalCodes } from './refusal-codes.ts';
import { retentionTable } from './retention.ts';
import { answersShown } from './shown-answers.ts';

/** Generated parts of documents, by the name in their markers. */
type Blocks = Record<string, string>;

const row = (cells: string[]): string => `| ${cells.join(' | ')} |`;

const table = (head: string[], rows: string[][]): string =>
  [row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n');

const configurationTable = (): string =>
  table(
    ['Variable', 'Default', 'Meaning'],
    (Object.entries(variables) as [string, Variable<unknown, string | null>][]).map(
      ([name, { fallback, doc, placeholder }]) => [
        `\`${name}\``,
        fallback === null
          ? 'unset'
          : `\`${fallback}\`${placeholder ? ', in the sandbox only' : ''}`,
        doc,
      ],
    ),
  );

/** Renders every variable with its default, commented out: removing the # activates a line. */
const environmentExample = (): string =>
  [
    '# Configuration of Recaudo, every variable with its default. Written by `npm run docs`.',
    '# Load it with your supervisor, or with `node --env-file=.env bin/recaudo.js serve`.',
    ...Object.entries(variables).map(
      ([name, { fallback, doc }]) => `\n# ${doc}\n#${name}=${fallback ?? ''}`,
    ),
    '',
  ].join('\n');

const errorTable = (): string =>
  table(
    ['Status', 'Kind'],
    Object.entries(refusalStatuses).map(([kind, status]) => [
      String(status),
      kind.replaceAll('_', ' '),
    ]),
  );

const qrCodesTable = (): string =>
  table(
    ['Code', 'HTTP status', 'Meaning', '`error_code`'],
    allCodes.map(({ code, status, meaning, errors = [] }) => [
      `\`${code}\``,
      String(status),
      meaning,
      errors.map((one) => `\`${one}\``).join(', '),
    ]),
  );

type Moves = Record<string, { from: readonly string[]; to: string }>;

const diagram = (kinds: string[], first: string, moves: Moves): string => {
  const arrows = Object.entries(moves).flatMap(([move, { from, to }]) =>
    from.map((state) => `  ${state} --> ${to}: ${move}`),
  );
  const named = kinds.map((kind) => `\`${kind}\``).join(', ');
  return `${named}\n\n\`\`\`mermaid\nstateDiagram-v2\n  [*] --> ${first}\n${arrows.join('\n')}\n\`\`\``;
};

/** Renders one diagram per transition table, listing the kinds that share it. */
const stateDiagrams = (): string => {
  const kinds = Object.entries<Moves>(transitions);
  const tables = new Map(kinds.map(([, moves]) => [JSON.stringify(moves), moves]));
  return [
    ...[...tables].map(([name, moves]) =>
      diagram(
        kinds.filter(([, other]) => JSON.stringify(other) === name).map(([kind]) => kind),
        'pending',
        moves,
      ),
    ),
    diagram(['adhesion', 'card_adhesion'], 'pending_to_sign', mandateTransitions),
  ].join('\n\n');
};

const debitText = (code: string | null): string =>
  code === null ? 'like the others' : `${code}: ${rejectCodes[code]?.text ?? ''}`;

const sandboxTables = (): string => {
  const { cards, cbus, cents } = simulatedRules;
  return [
    table(
      ['Card', 'Brand', 'Outcome', 'On a debit'],
      cards.map((one) => [
        one.number,
        one.brand,
        one.outcome,
        one.debitCode === null ? 'paid' : debitText(one.debitCode),
      ]),
    ),
    table(
      ['CBU whose account number ends in', 'Refused with'],
      cbus.map(({ ending, refusal }) => [
        `${ending} (positions 18 to 21)`,
        `${refusal.code}: ${refusal.text}`,
      ]),
    ),
    table(
      ['Cents', 'What happens', 'On a debit'],
      cents.map((one) => [`.${one.cents}`, one.text, debitText(one.debitCode)]),
    ),
  ].join('\n\n');
};

const handlings: Record<Handling, string> = {
  reject: 'the debit is rejected',
  close: 'the debit is rejected and the mandate canceled',
  retry: 'the second due date is tried; without one, the debit is rejected',
  wait: 'not final: the debit stays in process',
};

const rejectTable = (): string =>
  table(
    ['Code', 'Meaning', 'Consequence'],
    Object.entries(rejectCodes).map(([code, { text, handling }]) => [
      code,
      text,
      handlings[handling],
    ]),
  );

const eventTable = (): string =>
  table(
    ['Id', 'Name', 'When', 'Members of the payload'],
    eventTypes.map(({ id, name }) => {
      const { when, payload } = payloads[name];
      const members = Object.keys(payload.properties).map(
        (member) => `\`${member}\`${payload.required?.includes(member) ? '' : '?'}`,
      );
      return [String(id), `\`${name}\``, when, members.join(', ')];
    }),
  );

/** Returns every table's columns, sorted by name. */
const columnsOf = (sql: Sql): Promise<{ table: string; column: string }[]> => sql`
  select r.relname as table, a.attname as column
  from pg_class r join pg_attribute a on a.attrelid = r.oid
  where r.relnamespace = 'public'::regnamespace and r.relkind in ('r', 'p') and a.attnum > 0
    and not a.attisdropped
  order by 1, 2`;

/** Returns every file that is generated as a whole or in parts, with its text. */
export async function generatedDocuments(databaseUrl: string): Promise<Map<string, string>> {
  const sql = connect(databaseUrl, { max: 4, applicationName: 'recaudo docs' });
  const config = readConfig({
    LOG_LEVEL: 'silent',
    SANDBOX_API_KEY: 'the-key-of-the-documents',
    SANDBOX_ACCOUNT_ID: 'A1B2C3D4',
  });
  const log = createLog(config.LOG_LEVEL);
  try {
    await migrateDatabase(sql);
    const metrics = createMetrics();
    const origin = `http://${config.HOST}:${config.PORT}`;
    const parts = await createParts(config, { sql, log, metrics, origin });
    const demo = await seedSandbox(config, parts);
    // The document includes real answers, so they are collected first.
    const shown: AnsweredExamples = { json: {}, csv: {}, errors: {} };
    const app = await createApp(config, parts, { metrics, exchange: alone, answers: shown });
    await app.ready();
    const key = demo?.key ?? '';
    const answers = await answerExamples(app, parts, key, apiExamples);
    Object.assign(shown, await answersShown(app, key, answers));
    const openApi = app.swagger() as unknown as OpenApi;
    await app.close();
    const blocks: Blocks = {
      configuration: configurationTable(),
      commands: await commandTables(),
      errors: errorTable(),
      'error-codes': refusalCodes(await declaredCodes()),
      'agent-tasks': tasks.map(({ text }, index) => `${index + 1}. ${text}`).join('\n'),
      portal: portalMatrix(),
      'qr-codes': qrCodesTable(),
      states: stateDiagrams(),
      sandbox: sandboxTables(),
      rejects: rejectTable(),
      api: apiReference(withoutReferences(openApi), apiExamples, answers),
      events: eventTable(),
      'connector-messages': connectorMessages(),
      'payway-refusals': paywayRefusals(),
      'audited-columns': auditedColumns(await columnsOf(sql)),
      retention: retentionTable([...new Set((await columnsOf(sql)).map(({ table }) => table))]),
    };
    const schema = await dumpSchema(sql);
    blocks['personal-columns'] = personalColumnsTable(schema);
    const files = new Map([
      ['llms.txt', llmsText(app.swagger() as unknown as Described, apiGuide)],
      ['docs/reference/openapi.json', `${JSON.stringify(openApi, null, 2)}\n`],
      ['clients/typescript/src/types.ts', clientTypes(app.swagger() as never)],
      ['src/api-answers.json', `${JSON.stringify(shown, null, 2)}\n`],
      [
        'docs/reference/connectors-openapi.json',
        `${JSON.stringify(connectorOpenApi(), null, 2)}\n`,
      ],
      ['docs/reference/schema.sql', schema],
      ['.env.example', environmentExample()],
      ['docs/reference/asvs.md', asvsDocument()],
    ]);
    const pages = glob('docs/**/*.md', {
      cwd: packageRoot(),
      exclude: ['docs/site/**'],
    });
    for await (const file of pages) {
      const text = await readFile(path.join(packageRoot(), file), 'utf8');
      const layouts = railLayouts.get(file);
      if (text.includes('<!-- generated '))
        files.set(file, fill(text, { ...blocks, ...(layouts && { layouts }) }));
    }
    return files;
  } finally {
    await sql.end({ timeout: 5 });
  }
}

/** Puts each block between its marks: `<!-- generated NAME -->` and `<!-- end -->`. */
function fill(text: string, blocks: Blocks): string {
  return text.replace(
    /<!-- generated ([\w-]+) -->\n[\s\S]*?<!-- end -->/g,
    (_match, name: string) => `<!-- generated ${name} -->\n\n${blocks[name]}\n\n<!-- end -->`,
  );
}
