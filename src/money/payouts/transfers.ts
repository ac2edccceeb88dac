import { joinAccounts } from '../../accounts/index.ts';
import { noteOperator, operatorEventsOf } from '../../events/index.ts';
import { csvLine } from '../../kernel/csv.ts';
import { type Centavos, decimalText, minus, sumOf, toJsonNumber } from '../../kernel/money.ts';
import type { Actor } from '../../platform/actor.ts';
import type { Base } from '../../platform/base.ts';
import { lockNames } from '../../platform/postgres/advisory-lock.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import { alsoOwnedBy, foundOf } from '../../platform/postgres/distributed/owners.ts';
import { forgedAmongFacts } from '../../seals/index.ts';
import { refusal } from './codes.ts';
import { stampedPayouts } from './evidence.ts';

/** A file of payouts for the operator's bank. */
export interface PayoutFile {
  id: number;
  reference: string;
  payouts: number;
  total: Centavos;
  made_at: Temporal.Instant;
}

/** Payouts of a reference that are in no file yet. */
export interface OpenTransfers {
  reference: string;
  payouts: number;
  total: Centavos;
}

interface Transfer {
  account_id: string;
  id: number;
  reference: string;
  amount: Centavos;
  cbu: string;
  holder: string;
  cuit: string;
}

/** Serializes changes to files and to their payouts. */
export const lockFiles = (tx: Queryable): Promise<void> => lockNames(tx, 'payout files');

export const queueTransfer = (
  sql: Queryable,
  { account_id, id }: { account_id: string; id: number },
) => sql`
  insert into payout_transfers (account_id, payout_id) values (${account_id}, ${id})`;

/**
 * Returns payouts without a file, summed by reference, oldest first, up to 200. Omits returned
 * payouts.
 */
export const openTransfers = (sql: Queryable): Promise<OpenTransfers[]> => sql<OpenTransfers[]>`
  select p.reference, count(*)::int as payouts, sum(p.amount)::bigint as total
  from payout_transfers t
  join payouts p on p.account_id = t.account_id and p.id = t.payout_id
  where t.file_id is null and p.state = 'sent'
  group by p.reference order by min(p.id) limit 200`;

/** Returns when the oldest payout without a file was ordered, or null if none waits. */
export async function oldestTransfer(sql: Queryable): Promise<Temporal.Instant | null> {
  const [row] = await sql<{ at: Temporal.Instant | null }[]>`
    select min(p.sent_at) as at from payout_transfers t
    join payouts p on p.account_id = t.account_id and p.id = t.payout_id
    where t.file_id is null and p.state = 'sent'`;
  return row?.at ?? null;
}

const fileColumns = (sql: Queryable) => sql`id, reference, payouts, total, made_at`;

/** Lists files, newest first, before the given id. */
export const listPayoutFiles = (
  sql: Queryable,
  { behind, limit }: { behind: number | null; limit: number },
): Promise<PayoutFile[]> => sql<PayoutFile[]>`
  select ${fileColumns(sql)} from payout_files
  where id < ${behind ?? Number.MAX_SAFE_INTEGER}::bigint order by id desc limit ${limit}`;

/**
 * Returns a reference's files in creation order: its own, and those of other references that
 * contain one of its payouts.
 */
export async function payoutFilesOf(sql: Queryable, reference: string): Promise<PayoutFile[]> {
  const holding = await sql<{ id: number }[]>`
    select distinct t.file_id as id from payouts p
    join payout_transfers t on t.account_id = p.account_id and t.payout_id = p.id
    where p.reference = ${reference} and t.file_id is not null`;
  return await sql<PayoutFile[]>`
    select ${fileColumns(sql)} from payout_files
    where reference = ${reference} or id = any(${holding.map(({ id }) => id)}::bigint[])
    order by id`;
}

export type MakePayoutFile = (order: {
  reference: string;
  /** If true, the file takes the queued payouts of all references. */
  all?: boolean;
  actor: Actor;
}) => Promise<PayoutFile | null>;

/**
 * Moves the queued payouts of a reference, or all of them, into a file, with the current names and
 * CUITs of their accounts. Locks the payouts, so that one being returned is left out.
 */
const fillOf = (tx: Queryable, id: number, reference: string | null, owners: string[]) => tx<
  { amount: Centavos }[]
>`
  with open as (
    select p.account_id, p.id, p.amount, a.name, a.cuit
    from payout_transfers t
    join payouts p on p.account_id = t.account_id and p.id = t.payout_id
      ${alsoOwnedBy(tx, 'p', owners)}
    ${joinAccounts(tx, 'p', owners)}
    where t.file_id is null ${reference === null ? tx`` : tx`and p.reference = ${reference}`}
      and p.state = 'sent' ${alsoOwnedBy(tx, 't', owners)}
    order by p.account_id, p.id for share of p
  )
  update payout_transfers t set file_id = ${id}, holder = open.name, cuit = open.cuit
  from open where t.account_id = open.account_id and t.payout_id = open.id
    ${alsoOwnedBy(tx, 't', owners)}
  returning open.amount`;

async function fill(tx: Queryable, id: number, reference: string | null) {
  const waiting = await tx<{ account_id: string }[]>`
    select account_id from payout_transfers where file_id is null
    group by account_id order by account_id`;
  const accountIds = waiting.map(({ account_id: accountId }) => accountId);
  return await foundOf(tx, accountIds, (owners) => fillOf(tx, id, reference, owners));
}

/**
 * Creates a file of the queued payouts: those of a reference, or all. Returns null if there are
 * none. Concurrent calls put each payout into only one file.
 */
export const makePayoutFile =
  ({ sql, clocks, recordIds }: Base): MakePayoutFile =>
  async ({ reference, all = false, actor }) => {
    const [id = 0, eventId = 0] = await recordIds.take(2);
    return await sql.begin(async (tx) => {
      await lockFiles(tx);
      const taken = await fill(tx, id, all ? null : reference);
      if (taken.length === 0) return null;
      const file: PayoutFile = {
        id,
        reference,
        payouts: taken.length,
        total: sumOf(taken.map(({ amount }) => amount)),
        made_at: clocks.business.now(),
      };
      await tx`
        insert into payout_files (id, reference, payouts, total, made_at)
        values (${id}, ${reference}, ${file.payouts}, ${file.total}, ${file.made_at}::timestamptz)`;
      await noteOperator(
        tx,
        { clocks, actor },
        {
          eventId,
          entity: 'payout_file',
          entityId: String(id),
          type: 'payout_file.made',
          data: { reference, payouts: file.payouts, total: toJsonNumber(file.total) },
        },
      );
      return file;
    });
  };

const columns = ['payout', 'reference', 'account', 'holder', 'cuit', 'cbu', 'amount'];

const lineOf = (one: Transfer): string =>
  csvLine([
    one.id,
    one.reference,
    one.account_id,
    one.holder,
    one.cuit,
    one.cbu,
    decimalText(one.amount),
  ]);

/** Returns a file's name: its reference, made safe for file names, and its unique number. */
const payoutFileName = (reference: string, id: number): string =>
  `payouts-${reference.replaceAll(/[^\p{L}\p{N}_-]/gu, '_')}-${id}.csv`;

export interface WrittenPayoutFile {
  name: string;
  text: string;
}

/** Throws if a transfer is forged, so that the bank never receives the order. */
async function refuseForged(sql: Queryable, transfers: readonly Transfer[]): Promise<void> {
  const [forged] = await forgedAmongFacts(sql, stampedPayouts, transfers);
  if (!forged) return;
  throw refusal('payout.forged', { id: forged.id, account: forged.accountId });
}

/**
 * Returns a file for the operator's bank. Its bytes never change after the first download. Throws
 * 404 for an unknown file, 409 if a payout in it is forged.
 */
export async function writtenPayoutFile(sql: Queryable, id: number): Promise<WrittenPayoutFile> {
  const transfers = await sql<Transfer[]>`
    select p.account_id, p.id, p.reference, p.amount, p.cbu, t.holder, t.cuit
    from payout_transfers t
    join payouts p on p.account_id = t.account_id and p.id = t.payout_id
    where t.file_id = ${id} order by p.id`;
  const [file] = await sql<{ reference: string }[]>`
    select reference from payout_files where id = ${id}`;
  if (!file || transfers.length === 0) throw refusal('payout_file.not_found', {});
  await refuseForged(sql, transfers);
  const lines = transfers.map(lineOf);
  return { name: payoutFileName(file.reference, id), text: csvLine(columns) + lines.join('') };
}

export type HandOverPayoutFile = (order: {
  id: number;
  actor: Actor;
}) => Promise<WrittenPayoutFile>;

/** Returns a file for the bank and records the download. Throws like `writtenPayoutFile`. */
export const handOverPayoutFile =
  ({ sql, clocks, recordIds }: Base): HandOverPayoutFile =>
  async ({ id, actor }) => {
    const eventId = await recordIds.next();
    const type = 'payout_file.handed_over';
    return await sql.begin(async (tx) => {
      await lockFiles(tx);
      const file = await writtenPayoutFile(tx, id);
      await noteOperator(
        tx,
        { clocks, actor },
        { eventId, entity: 'payout_file', entityId: String(id), type, data: { file: file.name } },
      );
      return file;
    });
  };

/** A payout to cancel. `bankAnswered`: the bank refused its file or returned the money. */
export interface Leaving {
  payout: { account_id: string; id: number; amount: Centavos };
  bankAnswered: boolean;
  clocks: Base['clocks'];
  actor: Actor;
  eventId: number;
}

/**
 * Removes a canceled payout from a file that was never downloaded. The caller has locked the files.
 * Throws 409 if the file was downloaded, because the bank may still pay it, unless `bankAnswered`
 * is set.
 */
export async function leaveFile(tx: Queryable, leaving: Leaving): Promise<void> {
  const { payout, bankAnswered, eventId, ...acting } = leaving;
  const transfer = tx`account_id = ${payout.account_id} and payout_id = ${payout.id}`;
  const [queued] = await tx<{ file_id: number | null }[]>`
    select file_id from payout_transfers where ${transfer}`;
  if (!queued || queued.file_id === null) return;
  const [file] = await tx<PayoutFile[]>`
    select ${fileColumns(tx)} from payout_files where id = ${queued.file_id}`;
  // A separate query, since on a cluster the log is on another node.
  const taken = await tx`
    select 1 from ${operatorEventsOf(tx, 'payout_file')}
    where o.entity_id = ${String(queued.file_id)} and o.type = 'payout_file.handed_over' limit 1`;
  const isTaken = taken.length > 0;
  if (!file || (isTaken && bankAnswered)) return;
  if (isTaken) {
    throw refusal('payout.in_bank_file', { id: payout.id, file: file.id });
  }
  const left = { payouts: file.payouts - 1, total: minus(file.total, payout.amount) };
  await tx`update payout_transfers set file_id = null where ${transfer}`;
  await (left.payouts === 0
    ? tx`delete from payout_files where id = ${file.id}`
    : tx`
        update payout_files set payouts = ${left.payouts}, total = ${left.total}
        where id = ${file.id}`);
  await noteOperator(tx, acting, {
    eventId,
    entity: 'payout_file',
    entityId: String(file.id),
    type: 'payout_file.left',
    data: { payout: payout.id, payouts: left.payouts, total: toJsonNumber(left.total) },
  });
}
