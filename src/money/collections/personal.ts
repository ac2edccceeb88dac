import { erasedText, type StillNeeded } from '../../platform/person.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import { textsOf } from '../../platform/postgres/texts.ts';

/** Days within which the holder of a bank account may reverse a debit. */
const reversalDays = 30;

interface Needed {
  id: number;
  open: boolean;
  until: Temporal.PlainDate;
}

/** Returns the unsettled payments of these requests, and the debits that can still be reversed. */
export async function resultsNeeded(
  tx: Queryable,
  accountId: string,
  requestIds: readonly number[],
  { today, cardReversalDays }: { today: Temporal.PlainDate; cardReversalDays: number },
): Promise<StillNeeded[]> {
  const rows = await tx<Needed[]>`
    select * from (
      select id, unreleased > 0 or refunding > 0 as open,
        informed_on + case kind when 'debit_request' then ${reversalDays}::int
          when 'card_debit_request' then ${cardReversalDays}::int else -1 end as until
      from results where account_id = ${accountId} and type = 'collected'
        and request_id = any(${[...requestIds]}::bigint[]) and charged_back = 0
    ) as paid where open or until >= ${today}::date
    order by id`;
  return rows.map(({ id, open, until }) => ({
    what: 'result',
    id,
    why: open ? 'its money is not settled' : `its debit can be reversed until ${until}`,
  }));
}

/** Exports results as JSON rows. */
export const exportResults = (
  sql: Queryable,
  accountId: string,
  requestIds: readonly number[],
): AsyncGenerator<string> =>
  textsOf(sql<{ text: string }[]>`
    select row_to_json(shown)::text as text from (
      select id, request_id, type, channel_label, amount, paid_at, informed_on, available_on,
        reference, payer, description, details
      from results where account_id = ${accountId} and request_id = any(${[...requestIds]}::bigint[])
      order by id
    ) as shown`);

/**
 * Erases the payer from results of locked requests. Returns the results' ids by request, for the
 * events.
 */
export async function eraseResults(
  tx: Queryable,
  accountId: string,
  requestIds: readonly number[],
): Promise<Map<number, number[]>> {
  const rows = await tx<{ id: number; request_id: number }[]>`
    update results r set payer = ${erasedText}, description = ${erasedText},
      details = coalesce((
        select json_object_agg(key, case key when 'payment_metadata' then coalesce((
            select json_object_agg(own.key, own.value) from json_each(member.value) as own
            where own.key not in ('holder_name', 'holder_email')), '{}')
          when 'state_comment' then case r.type when 'rejected' then member.value
            else to_json(${erasedText}::text) end
          else member.value end)
        from json_each(r.details) as member), '{}')
    where account_id = ${accountId} and request_id = any(${[...requestIds]}::bigint[])
    returning id, request_id`;
  const byRequest = Map.groupBy(rows, (row) => row.request_id);
  return new Map([...byRequest].map(([id, some]) => [id, some.map((row) => row.id)]));
}
