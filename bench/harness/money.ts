import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBase } from '../../src/composition/base.ts';
import { createMoneyWing } from '../../src/composition/money.ts';
import { type Centavos, centavos } from '../../src/kernel/money.ts';
import { system } from '../../src/platform/actor.ts';
import { createLog } from '../../src/platform/log.ts';
import { connect, type Sql, type Transaction } from '../../src/platform/postgres/connect.ts';
import { readRequests } from '../../src/requests/index.ts';
import { Void } from '../cases/case.ts';
import { copyOut } from './copy-out.ts';
import type { Lab } from './lab.ts';
import { accountId, sampleRow } from './rows.ts';
import { type Filled, fill, reserveIds } from './store.ts';

/** Lines of a file that are recorded by one statement, and statements under way at once. */
const linesAtOnce = 2_000;
const statementsAtOnce = 2;

/** Records the lines of a cash network's file, as an import does, in this process. */
export async function openRecorder(lab: Lab): Promise<(stored: Filled) => Promise<void>> {
  const sql = connect(lab.url, { max: 4, applicationName: 'recaudo bench posting' });
  lab.cleanup.defer(() => sql.end({ timeout: 5 }));
  const { base, clocks } = await createBase(sql, createLog('silent'));
  const { recordFacts: record } = createMoneyWing(base);

  const recordLines = async (first: number, count: number): Promise<void> => {
    const keys = Array.from({ length: count }, (_unused, no) => ({ accountId, id: first + no }));
    const paidAt = clocks.business.now();
    const facts = (await readRequests(sql, keys)).map((request) => {
      if (!request) throw new Void('A stored request is not there.');
      return {
        request,
        type: 'collected' as const,
        channel: 'non_banking' as const,
        label: 'Rapipago',
        amount: request.total1,
        paidAt,
        source: 'rapipago',
        sourceRef: `bench:${request.id}`,
        actor: system,
        attemptId: null,
        details: {},
      };
    });
    const outcomes = await record(facts);
    if (outcomes.some(({ outcome }) => outcome !== 'recorded')) throw new Void('A line was known.');
  };

  return async ({ first, count }) => {
    let next = 0;
    const work = async (): Promise<void> => {
      while (next < count) {
        const from = next;
        next += linesAtOnce;
        await recordLines(first + from, Math.min(linesAtOnce, count - from));
      }
    };
    await Promise.all(Array.from({ length: statementsAtOnce }, work));
  };
}

/** Requests to be paid, with statistics, so that the first plans are those of every day. */
export async function unpaid(sql: Sql, count: number): Promise<Filled> {
  const stored = await fill(sql, sampleRow(), count);
  await sql`vacuum analyze requests, request_states, events, results, journals`;
  return stored;
}

/**
 * Rows a second at which COPY writes the same results: the bare rows, without fees to work out,
 * journals, events or requests that move.
 */
export async function copyResults(
  { sql, url }: Pick<Lab, 'sql' | 'url'>,
  { first, count }: Filled,
): Promise<number> {
  const own = `copy (select * from results where account_id = '${accountId}'
    and request_id between ${first} and ${first + count - 1}) to stdout`;
  const text = await copyOut(url, own, async (lines) =>
    Buffer.concat(await Array.fromAsync<Buffer>(lines)),
  );
  await sql`create table copied_results (like results including all)`;
  const begun = performance.now();
  await sql.begin(async (tx: Transaction) => {
    await pipeline(Readable.from([text]), await tx`copy copied_results from stdin`.writable());
  });
  const seconds = (performance.now() - begun) / 1000;
  await sql`drop table copied_results`;
  return count / seconds;
}

/** Stores collections of one day, made by the server. */
export async function fillDay(
  sql: Sql,
  count: number,
  day: Temporal.PlainDate,
): Promise<{ total: Centavos }> {
  const first = await reserveIds(sql, 'record_ids', count);
  await sql`
    insert into results (account_id, id, request_id, kind, type, channel, channel_label, amount,
      net_fee, fee_iva, unreleased, paid_at, informed_at, informed_on, available_on, source,
      source_ref, reference, payer, description, details)
    select ${accountId}, ${first}::bigint + no, ${first}::bigint + no, 'payment_request',
      'collected', 'non_banking', 'Rapipago', 143050, 3576, 751, 138723,
      ${day}::date + interval '12 hours', ${day}::date + interval '15 hours', ${day}::date,
      ${day}::date + 4, 'rapipago', 'bench:' || no, 'contract-' || no, 'Ana Pérez',
      'Cuota de diciembre' || chr(10) || 'Plan anual', '{}'
    from generate_series(0, ${count - 1}::bigint) as no`;
  await sql`vacuum analyze results`;
  return { total: centavos(count * 143_050) };
}

const linesPerJournal = 5;

/** Stores journals of collections with so many entries, and the balances that they come to. */
export async function fillEntries(
  sql: Sql,
  entries: number,
  day: Temporal.PlainDate,
): Promise<void> {
  const journals = Math.ceil(entries / linesPerJournal);
  const first = await reserveIds(sql, 'record_ids', journals);
  await sql`
    insert into journals (account_id, id, kind, result_id, at, on_date, accounts, amounts)
    select ${accountId}, ${first}::bigint + no, 'collection', ${first}::bigint + no, ${day}::date + interval '15 hours',
      ${day}::date, '{107,1,3,4,5}', '{143050,-137223,-3576,-751,-1500}'
    from generate_series(0, ${journals - 1}::bigint) as no`;
  await sql`
    insert into balances (account_id, ledger_account, amount)
    select ${accountId}, line.account, line.amount * ${journals}::bigint
    from unnest('{107,1,3,4,5}'::smallint[], '{143050,-137223,-3576,-751,-1500}'::bigint[])
      as line (account, amount)
    on conflict (account_id, ledger_account)
    do update set amount = balances.amount + excluded.amount`;
  await sql`vacuum analyze journals, balances`;
}
