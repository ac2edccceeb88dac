import type { Queryable, Sql } from '../../platform/postgres/connect.ts';
import { type AuditFault, auditLedger } from '../ledger/index.ts';
import { assignedIsCollected, causesHaveJournals } from './causes.ts';

/** What does not match in an account's data, as sentences. */
export type AuditCheck = (sql: Queryable, accountId: string) => Promise<string[]>;

/** Every result that moved money has exactly one journal of its kind, for the same amount. */
const resultsHaveJournals: AuditCheck = async (sql, accountId) => {
  const rows = await sql<{ id: number; found: number }[]>`
    select r.id, count(j.id)::int as found from results r
    left join journals j on j.account_id = r.account_id and j.result_id = r.id
      and j.kind = case r.type when 'collected' then 'collection' else r.type end
      and (select coalesce(sum(line.amount), 0) from unnest(j.accounts, j.amounts) as
        line (account, amount) where line.account > 100)
        = case r.type when 'collected' then r.amount else -r.amount end
    where r.account_id = ${accountId} and r.type <> 'rejected'
    group by r.id having count(j.id) <> 1 order by r.id limit 100`;
  return rows.map((row) => `result ${row.id} has ${row.found} journals of its kind and amount`);
};

/** Every journal was caused by a result that is there. */
const journalsHaveResults: AuditCheck = async (sql, accountId) => {
  const rows = await sql<{ id: number }[]>`
    select j.id from journals j
    where j.account_id = ${accountId} and j.result_id is not null and not exists (
      select from results r where r.account_id = j.account_id and r.id = j.result_id)
    order by j.id limit 100`;
  return rows.map((row) => `journal ${row.id} names a result that is not there`);
};

/** Fees, VAT and withholdings of the results are those in the ledger. */
const figuresAgree: AuditCheck = async (sql, accountId) => {
  const [row] = await sql<{ fees: number; withheld: number; unreleased: number }[]>`
    with line as (
      select l.account, l.amount from journals, unnest(accounts, amounts) as l (account, amount)
      where account_id = ${accountId}
    )
    select
      (select coalesce(sum(net_fee + fee_iva), 0) from results where account_id = ${accountId}
        and type <> 'rejected')::bigint
        + (select coalesce(sum(amount), 0) from line where account in (3, 4))::bigint as fees,
      (select coalesce(sum(amount), 0) from withholdings where account_id = ${accountId})::bigint
        + (select coalesce(sum(amount), 0) from line where account = 5)::bigint as withheld,
      (select coalesce(sum(unreleased), 0) from results where account_id = ${accountId})::bigint
        + (select coalesce(sum(amount), 0) from line where account = 1)::bigint as unreleased`;
  return [
    row?.fees ? `fees and VAT of the results differ from the ledger by ${row.fees}` : null,
    row?.withheld ? `withholdings differ from the ledger by ${row.withheld}` : null,
    row?.unreleased ? `what is to be released differs from the ledger by ${row.unreleased}` : null,
  ].filter((text) => text !== null);
};

/** A request is paid exactly when a collected payment stays live; one for many payments never is. */
const statesAgree: AuditCheck = async (sql, accountId) => {
  const rows = await sql<{ id: number; state: string; live: boolean }[]>`
    with paid as (
      select request_id, bool_or(charged_back = 0 and refunded < amount) as live from results
      where account_id = ${accountId} and type = 'collected' group by request_id
    )
    select r.id, r.state, coalesce(paid.live, false) as live from requests r
    left join paid on paid.request_id = r.id
    where r.account_id = ${accountId} and (r.state = 'paid') <> (coalesce(paid.live, false)
      and coalesce(r.details->>'multiple_payment', 'false') = 'false')
    order by r.id limit 100`;
  return rows.map(
    (row) => `request ${row.id} is ${row.state}, but ${row.live ? 'a' : 'no'} payment is live`,
  );
};

/**
 * Versions of an entity's events have no gap: nothing happened without its event. Only the
 * creation of a QR may be told by the event of its batch.
 */
const eventsAreWhole: AuditCheck = async (sql, accountId) => {
  const rows = await sql<{ id: number; version: number; events: number }[]>`
    select r.id, r.version, count(e.id)::int as events from requests r
    left join events e on e.account_id = r.account_id and e.entity = r.kind
      and e.entity_id = case when r.kind = 'qr' then r.code else r.id::text end
    where r.account_id = ${accountId}
    group by r.id, r.kind, r.version
    having count(e.id) <> r.version
      -- QRs that came in one batch have one event for all of their beginnings.
      and not (r.kind = 'qr' and count(e.id) = r.version - 1 and min(e.version) is distinct from 1)
    order by r.id limit 100`;
  return rows.map(
    (row) => `request ${row.id} is at version ${row.version} with ${row.events} events`,
  );
};

const checks = [
  resultsHaveJournals,
  journalsHaveResults,
  causesHaveJournals,
  assignedIsCollected,
  figuresAgree,
  statesAgree,
  eventsAreWhole,
];

/**
 * Audits one account from one snapshot: its books, that requests, results and events agree, and
 * what higher floors have to check.
 */
export async function auditAccount(
  sql: Sql,
  accountId: string,
  higher: readonly AuditCheck[] = [],
): Promise<AuditFault[]> {
  return await sql.begin('isolation level repeatable read read only', async (tx) => {
    const faults = await auditLedger(tx, accountId);
    for (const check of [...checks, ...higher]) {
      for (const what of await check(tx, accountId)) faults.push({ accountId, what });
    }
    return faults;
  });
}
