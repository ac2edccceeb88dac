import { readRunsOf } from '../debit-requests/index.ts';
import { importOriginOf } from '../imports/index.ts';
import { midnightOf } from '../kernel/dates.ts';
import { latestResults, type ResultRow } from '../money/collections/index.ts';
import { disputesOf } from '../money/disputes/index.ts';
import { firstPayoutSince } from '../money/payouts/index.ts';
import { readRefunds } from '../money/refunds/index.ts';
import { type TimelineStep, timelineOf } from '../payment-requests/index.ts';
import type { Base } from '../platform/base.ts';
import type { Queryable } from '../platform/postgres/connect.ts';
import { linesAbout, readFileLines, readFiles } from '../rails/index.ts';
import { entityOf, type RequestRow, stateOn } from '../requests/index.ts';
import { deliveriesOfEntity } from '../webhooks/index.ts';
import { readBooks } from './books.ts';
import { findNamed } from './find.ts';
import type { Life } from './life.ts';

/** Maximum numbers of results, of deliveries, and of steps by a rail whose files are searched. */
const mostResults = 50;
const mostDeliveries = 100;
const mostAnswers = 5;

/** Returns the first payout after each result's release. */
async function payoutsOf(sql: Queryable, results: readonly ResultRow[]): Promise<Life['payouts']> {
  const found: Life['payouts'] = [];
  for (const result of results) {
    if (result.released_on === null) continue;
    const morning = midnightOf(result.released_on);
    const since =
      Temporal.Instant.compare(morning, result.informed_at) < 0 ? result.informed_at : morning;
    const payout = await firstPayoutSince(sql, result.account_id, since);
    if (payout) found.push({ result, payout });
  }
  return found;
}

/**
 * Parses the file and line that brought a result's money from its source, such as `rail pago-facil`
 * with `12:3`.
 */
const lineOf = ({ source, source_ref: ref }: ResultRow) => {
  const [, fileId, line] = source.startsWith('rail ') ? (/^(\d+):(\d+)$/.exec(ref) ?? []) : [];
  return fileId === undefined ? [] : [{ fileId: Number(fileId), line: Number(line) }];
};

async function linesOf(
  sql: Queryable,
  row: RequestRow,
  { results, steps }: { results: readonly ResultRow[]; steps: readonly TimelineStep[] },
): Promise<Life['lines']> {
  const brought = await readFileLines(sql, results.flatMap(lineOf));
  const railSteps = steps.filter(({ actor }) => actor.kind === 'rail').slice(-mostAnswers);
  const all = [...brought];
  for (const { actor, at: until } of railSteps) {
    if (actor.kind !== 'rail') continue;
    const rail = actor.name;
    all.push(...(await linesAbout(sql, { rail, until, requestId: row.id })));
  }
  return [...new Map(all.map((one) => [`${one.file.id}:${one.line.line}`, one])).values()];
}

async function readRow(
  { sql, clocks }: Pick<Base, 'sql' | 'clocks'>,
  row: RequestRow,
): Promise<Life> {
  const key = { accountId: row.account_id, id: row.id };
  const latest = await latestResults(sql, key, mostResults + 1);
  const results = latest.slice(-mostResults);
  const [{ steps, leftOut }, origin, refunds, disputes, runs, sending] = await Promise.all([
    timelineOf(sql, { row, results }),
    importOriginOf(sql, { ...key, kind: row.kind, createdAt: row.created_at }),
    readRefunds(sql, key),
    disputesOf(sql, key),
    readRunsOf(sql, key.accountId, [key.id]),
    deliveriesOfEntity(sql, { accountId: key.accountId, ...entityOf(row) }, mostDeliveries + 1),
  ]);
  const { journals, faults, isCut } = await readBooks(sql, row, { results, refunds });
  const carried = runs.flatMap(({ file_id: fileId }) => (fileId === null ? [] : [fileId]));
  return {
    row,
    state: stateOn(row, clocks.business.today()),
    origin,
    // Payouts have a separate section, one per payment.
    steps: steps.filter(({ what }) => what !== 'paid_out'),
    ...{ results, journals, refunds, disputes, runs, faults },
    payouts: await payoutsOf(sql, results),
    deliveries: sending.slice(0, mostDeliveries),
    lines: await linesOf(sql, row, { results, steps }),
    sent: carried.length > 0 ? await readFiles(sql, carried) : [],
    leftOut: {
      events: leftOut,
      results: latest.length > mostResults,
      deliveries: sending.length > mostDeliveries,
      journals: isCut,
    },
  };
}

export type ReadLife = (name: string, accountId: string | null) => Promise<Life>;

/**
 * Reads a request's history by an id, within an account or any. Throws 404 if there is no such
 * request, or it is another account's. Every part is bounded.
 */
export const readLife =
  (base: Pick<Base, 'sql' | 'clocks'>): ReadLife =>
  async (name, accountId) =>
    await readRow(base, await findNamed(base.sql, name, accountId));
