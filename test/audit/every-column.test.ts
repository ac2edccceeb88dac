import { afterAll, beforeAll, expect, test } from 'vitest';
import { operatorBooks } from '../../src/accounts/index.ts';
import { auditChecks, auditIn, evidences } from '../../src/audit/index.ts';
import type { Sql } from '../../src/platform/postgres/connect.ts';
import { digestOf, rowsOf } from '../../src/seals/evidence.ts';
import { connectSuperuser } from '../harness/database.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { playEverything } from './everything.ts';

/** Tables of which the audit says nothing, and why. Everything else is changed below. */
const declaredTables: Record<string, string> = {
  account_writes: 'who wrote a moment ago, so that he reads it',
  anchors: 'what is to be sent out; the copy outside counts',
  account_logos: 'pictures; which one is shown, by its hash, is sealed with the account',
  account_plans: 'which plans an account offers; nothing is booked by it',
  api_calls: 'what the request log shows; no money follows from it',
  api_calls_left_out: 'the same',
  card_bins: 'what a card is, by its first digits',
  attempts: 'how a charge goes on: what it came to is its result',
  charge_references: 'which attempt an id of an acquirer is of: what was paid is its result',
  connector_calls: 'which calls of connectors were heard; no money follows from it',
  connector_alarms: 'what operators look at; no money follows from it',
  balance_deltas: 'folded into balances before this test; its own test loses and doubles one',
  batch_chunks: 'an upload on its way',
  batch_pages: 'answers about the items of an import',
  batches: 'how far an import is',
  closed_books: 'how far days are closed; what was booked on them is sealed',
  clock: "the sandbox's",
  daily_total_marks: 'how far totals are folded; what they come to is compared',
  deliveries: 'how an event reached a webhook; the event itself is sealed',
  delivery_attempts: 'the same',
  former_withholding_rates: 'belongs to no account; what was withheld by it is sealed',
  idempotency_keys: 'answers that are kept for a day',
  import_headings: 'how headings of spreadsheets are understood',
  import_pages: 'what is said of the rows of an import',
  imports: 'how far an import is',
  installment_plans: 'what cards offer to payers; nothing is booked by it',
  kept_cards: 'by what a connector charges cards; what is shown of a card is its mandate’s',
  ledger_day_marks: 'how far days are folded; what they come to is compared',
  mails: 'letters on their way',
  migrations: 'checked at every start',
  network_charges: 'which attempt a payment of a network is: what was paid is its result',
  notice_marks: 'how far people were told of what happened',
  outbox: 'events on their way',
  payer_mail_marks: 'how far mails to payers are',
  payer_mail_settings: 'what payers are mailed of; no money follows from it',
  payer_mail_stops: 'who wants no mails; no money follows from it',
  payer_mail_texts: 'what mails say',
  payer_mails: 'mails on their way',
  payout_files: 'what was told to a bank; the payout itself is sealed',
  payout_transfers: 'in which of those a payout stands',
  rail_files: 'compared with results and suspense line by line: test/rails',
  rail_lines: 'the same',
  replica_marks: 'what replicas are known by',
  rail_uploads: 'a file that is looked at before it is imported',
  reconciliation_findings: 'what the audit itself names',
  reconciliations: 'that a day was compared; no money follows from it',
  registers: 'belongs to no account',
  request_openings: 'that a checkout was opened; the event itself is sealed',
  request_word_marks: 'how far the words of requests are written',
  request_words: 'what requests are searched by; no money follows from it',
  saved_filters: 'what somebody looks for; no money follows from it',
  seal_marks: 'how far the sealer is',
  seal_keys: 'secrets, not history',
  service_keys: 'secrets, not history',
  card_transport_keys: 'the same',
  simulated_charges: "the sandbox's",
  simulated_refunds: "the sandbox's",
  simulated_reversals: "the sandbox's",
  static_transactions: 'which request of a code is open; the request is sealed',
  sweep_runs: 'how sweeps fare, of nobody',
  user_challenges: 'what is to be signed within minutes',
  user_devices: 'where people signed in, so that strangers do not lock them out',
  user_links: 'what letters open for a time',
  user_passkeys: 'who signs in, as users',
  user_recovery_codes: 'who signs in, as users',
  user_sessions: 'who is signed in; what he did is sealed',
  card_tries: 'how often cards were tried',
  user_accesses: 'who failed and who looked, folded by the hour',
  user_tries: 'how often somebody tried to sign in',
  users: 'who signs in; what he may do for an account is sealed',
  unwanted_approvals: 'whether an approval is to go back; that it does is a refund',
  webhooks: 'where events go',
  withholding_rates: 'belongs to no account; what was withheld is sealed',
};

/** Columns that mean nothing to money or state, and why. */
const declaredColumns: Record<string, string> = {
  'api_keys.last_used_at': 'written behind the calls',
  'debit_runs.code': 'what a bank noted of a run that still waits; its end is a result',
  'debit_runs.attempt_id': 'the attempt that charges a run: what it came to is a result',
  'debit_runs.charged': 'whether a file carries a run, or who keeps the card charges it',
  'debit_runs.look_at': 'when one that could not be sent is tried again',
  'debit_runs.file_id': 'which file a run went out in: the file is written again from it',
  'debit_runs.instrument_no': 'the account or card of that moment, for writing the file again',
  'mandates.card_ciphertext': 'the vault seals it for its own place: another one cannot be opened',
  'mandates.card_key_id': 'the vault seals it for its own place: another one cannot be opened',
  'mandate_instruments.card_ciphertext':
    'the vault seals it for its own place: another one cannot be opened',
  'mandate_instruments.card_key_id':
    'the vault seals it for its own place: another one cannot be opened',
  'mandates.card_erase_at': 'when its card number is to go',
  'mandates.card_erased_at': 'when it went',
  'mandates.keeps_card': 'whether its card has a number here or is kept elsewhere',
  'mandates.link_no': 'which letter to sign is good: it opens a page and moves nothing',
  'refunds.ask_at': 'when a channel is asked again',
  'events.position': 'its place in the feed, given once',
  'memberships.notices': 'what somebody wishes to be told of by mail',
  'mandates.place': 'where it stands in lists',
  'requests.place': 'the same',
};

let service: TestService;
let superuser: Sql;

beforeAll(async () => {
  service = await startService({ ROLES: 'payments,qr' });
  await playEverything(service);
  superuser = connectSuperuser(service.databaseUrl);
  looks = looksOf();
}, 120_000);
afterAll(async () => {
  await superuser.end();
  await service.stop();
});

const faultsIn = async (sql: Sql): Promise<string[]> => {
  const { keys } = service.service.parts.sealer;
  const faults = [];
  for (const account of [testAccount, operatorBooks]) {
    faults.push(...(await auditIn(sql, account, { keys })));
  }
  return faults.map(({ what }) => what);
};

type Look = (sql: Sql) => Promise<string[]>;

/** Each check of each account; the one that found the last change comes first. */
function looksOf(): Look[] {
  const { keys } = service.service.parts.sealer;
  return [testAccount, operatorBooks].flatMap((account) =>
    auditChecks({ keys }).map(
      (check): Look =>
        (sql) =>
          check(sql, account),
    ),
  );
}
let looks: Look[] = [];

/** True if a check of the audit finds a fault. Neighbouring columns mostly fail the same check. */
async function isNoticed(sql: Sql): Promise<boolean> {
  for (const look of looks) {
    if ((await look(sql)).length === 0) continue;
    looks = [look, ...looks.filter((other) => other !== look)];
    return true;
  }
  return false;
}

type Outcome = 'noticed' | 'silent' | 'no row';

/**
 * Applies each statement to a table by itself and undoes it before the next. The table is locked
 * first: a row that the service updates meanwhile would move, and the statement would miss it.
 */
async function outcomesOf(table: string, statements: readonly string[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const undone = new Error('undone');
  await superuser
    .begin(async (tx) => {
      await tx.unsafe(`lock table ${table} in exclusive mode`);
      const constraints = await tx<{ name: string }[]>`
        select conname as name from pg_constraint
        where conrelid = ${table}::text::regclass and contype in ('c', 'p', 'u')`;
      for (const { name } of constraints) {
        await tx.unsafe(`alter table ${table} drop constraint ${name} cascade`);
      }
      await tx.unsafe('savepoint unchanged');
      for (const statement of statements) {
        const { count } = await tx.unsafe(statement);
        const isFound = count > 0 && (await isNoticed(tx as unknown as Sql));
        outcomes.push(count === 0 ? 'no row' : isFound ? 'noticed' : 'silent');
        await tx.unsafe('rollback to savepoint unchanged');
      }
      throw undone;
    })
    .catch((error: unknown) => {
      if (error !== undone) throw new Error(`${table}: ${String(error)}`, { cause: error });
    });
  return outcomes;
}

/** Another value of a type. */
function otherThan(column: string, type: string): string {
  if (type.endsWith('[]')) return `array_append(${column}, ${column}[1])`;
  if (type === 'boolean') return `not coalesce(${column}, false)`;
  if (type === 'date') return `coalesce(${column}, '2026-01-01') + 1`;
  if (type.startsWith('timestamp')) return `coalesce(${column}, '2026-01-01') + interval '1 day'`;
  if (type.startsWith('json')) return `'{"other": 1}'`;
  if (type === 'bytea') return `sha256(coalesce(${column}, ''))`;
  if (type === 'text') return `left(coalesce(${column}, ''), 7) || 'Z'`;
  return `coalesce(${column}, 0) + ${type === 'bigint' ? 1_000_003 : 7}`;
}

interface Column {
  table: string;
  column: string;
  type: string;
}

const columnsOfAll = (): Promise<Column[]> => superuser<Column[]>`
  select r.relname as table, a.attname as column, format_type(a.atttypid, a.atttypmod) as type
  from pg_class r join pg_attribute a on a.attrelid = r.oid
  where r.relnamespace = 'public'::regnamespace and r.relkind in ('r', 'p') and a.attnum > 0
    and not a.attisdropped and r.relname <> all(${Object.keys(declaredTables)}::text[])
  order by 1, 2`;

test('nothing is wrong before anything is changed', async () => {
  expect(await faultsIn(superuser)).toEqual([]);
});

test('what is declared to mean nothing is there, and has a reason', async () => {
  const [row] = await superuser<{ tables: string[]; columns: string[] }[]>`
    select array(select relname::text from pg_class where relnamespace = 'public'::regnamespace
        and relkind in ('r', 'p')) as tables,
      array(select table_name || '.' || column_name from information_schema.columns
        where table_schema = 'public') as columns`;
  expect(row?.tables).toEqual(expect.arrayContaining(Object.keys(declaredTables)));
  expect(row?.columns).toEqual(expect.arrayContaining(Object.keys(declaredColumns)));
});

/** Columns that mean something, by table. */
async function columnsByTable(): Promise<Map<string, Column[]>> {
  const meaningful = (await columnsOfAll()).filter(
    ({ table, column }) => declaredColumns[`${table}.${column}`] === undefined,
  );
  return Map.groupBy(meaningful, ({ table }) => table);
}

test('every column of every other table, changed in one row alone, is named', async () => {
  const missed: string[] = [];
  for (const [table, columns] of await columnsByTable()) {
    const changes = columns.map(
      ({ column, type }) => `
        update ${table} set ${column} = ${otherThan(column, type)} where ctid = (
          select ctid from ${table} order by ${column} is null, ctid limit 1)`,
    );
    const outcomes = await outcomesOf(table, changes);
    for (const [index, { column }] of columns.entries()) {
      if (outcomes[index] !== 'noticed') missed.push(`${table}.${column}: ${outcomes[index]}`);
    }
  }
  expect(missed).toEqual([]);
}, 300_000);

test('every row that is taken away is missed', async () => {
  const missed: string[] = [];
  for (const table of new Set((await columnsOfAll()).map((one) => one.table))) {
    const first = `delete from ${table} where ctid = (select min(ctid) from ${table})`;
    const [outcome] = await outcomesOf(table, [first]);
    if (outcome !== 'noticed') missed.push(`${table}: ${outcome}`);
  }
  expect(missed).toEqual([]);
}, 60_000);

/** What cannot be worked out again, and the columns of its rows that are digested. */
const rewritten = [
  ['event', 'events', 'data', `update events set data = '{"other": 1}' where id = $1`],
  ['event', 'events', 'actor', `update events set actor = 'somebody else' where id = $1`],
  ['result', 'results', 'label', `update results set channel_label = 'Otra' where id = $1`],
] as const;

test.each(rewritten)(
  'a changed %s (%s, %s) whose digests and links were made anew without the key is named',
  async (kind, table, _column, change) => {
    const evidence = evidences.find((one) => one.kind === kind);
    if (!evidence) throw new Error(`nothing seals ${kind}`);
    const undone = new Error('undone');
    let faults: string[] = [];
    await superuser
      .begin(async (tx) => {
        const sql = tx as unknown as Sql;
        const [row] = await tx<{ id: string }[]>`
          select min(id)::text as id from ${tx(table)} where account_id = ${testAccount}`;
        await tx.unsafe(change, [row?.id ?? '']);
        // As somebody would who knows how digests are made, and has no key.
        await tx`
          update seals s set digests = (
            select array_agg(coalesce(${digestOf(sql, sql`''::bytea`)}, digest) order by no)
            from unnest(s.keys, s.digests) with ordinality as member (member_key, digest, no)
            left join (${rowsOf(sql, evidence, [testAccount])}) as r on r.key = member_key)
          where account_id = ${testAccount} and kind = ${kind}`;
        await tx`
          update seal_links l set hash = sha256(convert_to(s.digests::text, 'UTF8'))
          from seals s where s.account_id = l.account_id and s.no = l.no
            and l.account_id = ${testAccount} and s.kind = ${kind}`;
        faults = await faultsIn(sql);
        throw undone;
      })
      .catch((error: unknown) => {
        if (error !== undone) throw error;
      });
    expect(faults).toContainEqual(expect.stringMatching(/^seal \d+ does not match its chain$/));
    expect(faults).toContainEqual(expect.stringMatching(new RegExp(`^${kind} .* not as it was`)));
  },
);
