import type { Queryable } from '../../../platform/postgres/connect.ts';
import { localDay } from '../../../platform/postgres/local-time.ts';
import { ledgerAccounts } from '../../ledger/index.ts';

type AuditCheck = (sql: Queryable, accountId: string) => Promise<string[]>;

/** Checks that fees, VAT, withholdings and unreleased amounts of results match the ledger. */
export const figuresAgree: AuditCheck = async (sql, accountId) => {
  const [row] = await sql<{ fees: number; withheld: number; unreleased: number }[]>`
    with line as (
      select l.account, l.amount from journals, unnest(accounts, amounts) as l (account, amount)
      where account_id = ${accountId}
    )
    select
      (select coalesce(sum(net_fee + fee_iva), 0) from results where account_id = ${accountId}
        and type <> 'rejected')::bigint
        + (select coalesce(sum(amount), 0) from line where account = any(${[ledgerAccounts.feeIncome, ledgerAccounts.vatPayable]}::smallint[]))::bigint as fees,
      (select coalesce(sum(amount), 0) from withholdings where account_id = ${accountId})::bigint
        + (select coalesce(sum(amount), 0) from line where account = ${ledgerAccounts.withholdingsPayable})::bigint as withheld,
      (select coalesce(sum(unreleased), 0) from results where account_id = ${accountId})::bigint
        + (select coalesce(sum(amount), 0) from line where account = ${ledgerAccounts.holderUnavailable})::bigint as unreleased`;
  return [
    row?.fees ? `fees and VAT of the results differ from the ledger by ${row.fees} centavos` : null,
    row?.withheld ? `withholdings differ from the ledger by ${row.withheld} centavos` : null,
    row?.unreleased
      ? `unreleased amounts differ from the ledger by ${row.unreleased} centavos`
      : null,
  ].filter((text) => text !== null);
};

/**
 * Checks that a request is in the state `paid` exactly if one of its payments is not fully
 * reversed. A request for many payments never is.
 */
export const statesAgree: AuditCheck = async (sql, accountId) => {
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
    (row) =>
      `request ${row.id} is ${row.state}, but has ${row.live ? 'an' : 'no'} unreversed payment`,
  );
};

interface Sums {
  id: number;
  wrong: string[];
}

/**
 * Recomputes a result's derived figures: reversed, unreleased and released amounts, VAT and
 * withholdings. Money is released by one journal, on its day or later. A payment restored after a
 * dispute bears shares of rounded sums, so no rate gives its VAT and withholdings.
 */
export const resultsAddUp: AuditCheck = async (sql, accountId) => {
  const rows = await sql<Sums[]>`
    with back as (
      select reverses_id as id, coalesce(sum(amount) filter (where type = 'refund'), 0) as refunded,
        coalesce(sum(amount) filter (where type = 'chargeback'), 0) as charged_back
      from results where account_id = ${accountId} and reverses_id is not null group by 1
    ),
    left_over as (
      select coalesce(r.reverses_id, r.id) as id, -sum(line.amount) as unreleased
      from journals j
      join results r on r.account_id = j.account_id and r.id = j.result_id,
        unnest(j.accounts, j.amounts) as line (account, amount)
      where j.account_id = ${accountId} and line.account = ${ledgerAccounts.holderUnavailable} group by 1
    ),
    released as (
      select result_id as id, count(*) as times, min(on_date) as day from journals
      where account_id = ${accountId} and kind = 'release' group by 1
    ),
    held as (
      select result_id as id, sum(amount) as amount,
        bool_or(w.amount <> floor((w.base * w.rate_ppm + 500000) / 1000000.0)) as misrated,
        min(base) as least, max(base) as most
      from withholdings w where account_id = ${accountId} group by 1
    ),
    looked as (
      select r.id, array_remove(array[
        case when r.refunded <> coalesce(back.refunded, 0) then 'refunded' end,
        case when r.charged_back <> coalesce(back.charged_back, 0) then 'charged_back' end,
        case when r.type = 'collected' and r.unreleased <> coalesce(left_over.unreleased, 0)
          then 'unreleased' end,
        case when released.day is not null
          and (released.times > 1 or released.day is distinct from r.released_on)
          or r.released_on is not null and r.unreleased <> 0
          then 'released_on' end,
        case when r.released_on < r.available_on then 'released before its day' end,
        case when (r.available_on is null) <> (r.type <> 'collected') then 'available_on' end,
        case when r.available_on < r.informed_on then 'available before it was reported' end,
        case when r.type = 'collected' and r.details->>'restores' is null
          and r.fee_iva <> floor((r.net_fee * 210000 + 500000) / 1000000.0) then 'fee_iva' end,
        case when r.withheld <> coalesce(held.amount, 0) then 'withheld' end,
        case when r.type = 'collected' and r.details->>'restores' is null
          and (held.misrated or held.least <> r.amount or held.most <> r.amount) then 'withholdings' end,
        case when r.informed_on <> ${localDay(sql, sql`r.informed_at`)}
          then 'informed_on' end
      ], null) as wrong
      from results r
      left join back using (id) left join left_over using (id) left join released using (id)
      left join held using (id)
      where r.account_id = ${accountId}
    )
    select id, wrong from looked where wrong <> '{}' order by id limit 100`;
  return rows.map(({ id, wrong }) => `result ${id} does not add up: ${wrong.join(', ')}`);
};
