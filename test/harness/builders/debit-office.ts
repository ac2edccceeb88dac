import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { auditAccount } from '../../../src/audit/index.ts';
import { createDebitBooks } from '../../../src/composition/debits.ts';
import { configuredVault } from '../../../src/composition/keys.ts';
import type { Envelope } from '../../../src/platform/envelope.ts';
import type { Sql } from '../../../src/platform/postgres/connect.ts';
import { doing } from '../../../src/platform/postgres/deadlines.ts';
import {
  type DebitBooks,
  type DebitExportOutcome,
  type DebitImportOutcome,
  type DebitRailTerms,
  exportDebits,
  importDebits,
  inboundDebits,
  outboundDebits,
} from '../../../src/rails/index.ts';
import { someCbu, zeros } from '../../rails/debit-files.ts';
import { testOperator } from '../actors.ts';
import { keepStates } from '../request-states.ts';
import { type TestService, testAccount } from '../service.ts';
import { advance } from './clock.ts';
import { createCardDebit, createDebit } from './debits.ts';

type Body = Record<string, unknown>;

export const referenceOf = (id: number, no = 1): string => `${zeros(id, 14)}${no}`;
export const customerOf = (mandate: number): string => zeros(mandate, 15);

const named = <R extends { name: string }>(rails: readonly R[], name: string): R => {
  const rail = rails.find((one) => one.name === name);
  if (!rail) throw new Error(`no rail ${name}`);
  return rail;
};

/** Sends debit files and imports answers on a running service, as the commands do, and audits. */
export async function openDebitOffice(service: TestService) {
  const folder = await mkdtemp(path.join(tmpdir(), 'recaudo-debits-'));
  const { sql, config } = service;
  const { base, clocks } = service.service.parts;
  const vault = await configuredVault(config);
  const books = createDebitBooks(base, vault, config);
  const today = () => clocks.business.today();
  const terms = (over: Partial<DebitRailTerms> = {}): DebitRailTerms => ({
    directDebitService: '0515',
    macroAgreement: '00515',
    macroService: '',
    visaEstablishment: '0000000515',
    visaDebitEstablishment: '0000000515',
    mastercardEstablishment: '0000000515',
    visaDebitPrefixes: ['451766', '451772'],
    exchangeBrands: [],
    today: today(),
    ...over,
  });
  let fileNo = 0;

  return {
    folder,
    books,
    vault,
    today,
    /** Returns today, or a day before or after it, as YYYYMMDD. */
    date: (days = 0): string => today().add({ days }).toString().replaceAll('-', ''),
    async debit(adhesion: number, fields: Body = {}): Promise<number> {
      const { status, body } = await createDebit(service, adhesion, fields);
      if (status !== 201) throw new Error(JSON.stringify(body));
      return body.id;
    },
    async cardDebit(adhesion: number, fields: Body = {}): Promise<number> {
      const { status, body } = await createCardDebit(service, adhesion, fields);
      if (status !== 201) throw new Error(JSON.stringify(body));
      return body.id;
    },
    /** Moves the clock to the hand-over day of the last pending debit. */
    async handOver(): Promise<void> {
      const [row] = await sql<{ day: Temporal.PlainDate }[]>`
        select max(submit_on) as day from debit_runs where state = 'waiting'`;
      if (!row?.day) throw new Error('nothing waits');
      await advance(service, { days: today().until(row.day, { largestUnit: 'day' }).days });
    },
    export: (
      name: string,
      over: {
        date?: Temporal.PlainDate;
        another?: boolean;
        terms?: Partial<DebitRailTerms>;
        envelope?: Envelope;
      } = {},
    ): Promise<DebitExportOutcome> =>
      doing('command', () =>
        exportDebits(
          { base, vault, envelope: over.envelope ?? null },
          {
            rail: named(outboundDebits, name),
            date: over.date ?? today(),
            directory: folder,
            another: over.another ?? false,
            actor: testOperator,
          },
          terms(over.terms),
        ),
      ),
    async write(lines: string[]): Promise<string> {
      fileNo += 1;
      const file = path.join(folder, `answer-${fileNo}.txt`);
      await writeFile(file, lines.map((line) => `${line}\r\n`).join(''), 'latin1');
      return file;
    },
    import: (
      name: string,
      file: string,
      over: { sameDay?: boolean; books?: Partial<DebitBooks> } = {},
    ): Promise<DebitImportOutcome> =>
      doing('command', () =>
        importDebits(
          { ...books, ...over.books },
          {
            rail: named(inboundDebits, name),
            file,
            sameDay: over.sameDay ?? true,
            actor: testOperator,
          },
          terms(),
        ),
      ),
    read: async (file: string): Promise<string[]> =>
      (await readFile(file, 'latin1')).split('\r\n').slice(0, -1),
    async show(kind: 'debit-request' | 'card-debit-request', id: number): Promise<Body> {
      return (await service.call('GET', `/${kind}/${id}`)).body;
    },
    async mandate(kind: 'adhesion' | 'card-adhesion', id: number): Promise<Body> {
      return (await service.call('GET', `/${kind}/${id}`)).body;
    },
    async lines(fileId: number) {
      return await sql`
        select line, outcome, remarks, request_id, code, reject_code, note from rail_lines
        where file_id = ${fileId} order by line`;
    },
    /** Counts the rows of the tables that imports write. */
    async counts() {
      const [row] = await sql`
        select (select count(*)::int from results) as results,
          (select count(*)::int from suspense) as suspense,
          (select count(*)::int from journals) as journals,
          (select count(*)::int from events) as events,
          (select count(*)::int from rail_files) as files,
          (select count(*)::int from rail_lines) as lines,
          (select count(*)::int from mandate_instruments) as instruments`;
      return row;
    },
    faults: () =>
      doing('command', async () => [
        ...(await auditAccount(sql, testAccount)),
        ...(await auditAccount(sql, '00000000')),
      ]),
    close: () => rm(folder, { recursive: true, force: true }),
  };
}

export type DebitOffice = Awaited<ReturnType<typeof openDebitOffice>>;

/**
 * Inserts rows of debits that are handed over today, on one signed mandate. Returns the first id.
 */
export async function submitted(
  sql: Sql,
  { count, today, adhesion }: { count: number; today: Temporal.PlainDate; adhesion: number },
): Promise<number> {
  const [row] = await sql<{ first: number }[]>`
    select greatest(max(id), 1000000) + 1 as first from requests`;
  const first = Number(row?.first ?? 0);
  await sql`
    insert into mandates (account_id, kind, id, state, version, created_at, sign_before, holder,
      email, description, payer, cbu, details, place)
    values (${testAccount}, 'adhesion', ${adhesion}, 'signed', 2, ${today}::date, ${today}::date,
      'Ana', 'ana@example.com', 'Cuota', 'Ana', ${someCbu},
      '{"short_description":"Cuota","holder_id_number":"20055361682"}', 0)
    on conflict do nothing`;
  await sql`
    insert into events (account_id, entity, entity_id, version, id, type, at, actor, data)
    select ${testAccount}, 'adhesion', ${adhesion}::text, version, ${adhesion} * 10 + version,
      'adhesion.seeded', ${today}::date, 'test', '{"state":"signed"}'
    from generate_series(1, 2) as version
    on conflict do nothing`;
  await sql`
    insert into requests (account_id, id, kind, state, version, created_at, payer, description,
      due1, total1, last_due, mandate_id, details, place)
    select ${testAccount}, ${first} + no, 'debit_request', 'in_process', 2, ${today}::date, 'Ana',
      'Cuota', ${today}::date + 2, 1000 + no, ${today}::date + 2, ${adhesion}, '{}', 0
    from generate_series(0, ${count - 1}) as no`;
  await keepStates(sql);
  await sql`
    insert into debit_runs (account_id, request_id, no, kind, submit_on, run_on, amount, state)
    select ${testAccount}, ${first} + no, 1, 'debit_request', ${today}::date, ${today}::date + 2,
      1000 + no, 'submitted'
    from generate_series(0, ${count - 1}) as no`;
  await sql`
    insert into events (account_id, entity, entity_id, version, id, type, at, actor, data)
    select ${testAccount}, 'debit_request', ${first} + no, version, (${first} + no) * 10 + version,
      'debit_request.seeded', ${today}::date, 'test', '{"state":"in_process"}'
    from generate_series(0, ${count - 1}) as no, generate_series(1, 2) as version`;
  return first;
}
