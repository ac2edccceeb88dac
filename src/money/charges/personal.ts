import { erasedText, type StillNeeded } from '../../platform/person.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import { recordset } from '../../platform/postgres/recordset.ts';
import { textsOf } from '../../platform/postgres/texts.ts';
import { forgedAmongFacts } from '../../seals/index.ts';
import type { AttemptRow } from './attempt.ts';
import { stampAttempt, stampedAttempts } from './stamp.ts';

/** Returns the requests that have an undecided charge or an open hold. */
export async function chargesNeeded(
  tx: Queryable,
  accountId: string,
  requestIds: readonly number[],
): Promise<StillNeeded[]> {
  const ids = [...requestIds];
  const rows = await tx<{ id: number }[]>`
    select request_id as id from attempts
    where account_id = ${accountId} and request_id = any(${ids}::bigint[]) and state <> 'done'
    union
    select request_id from card_holds
    where account_id = ${accountId} and request_id = any(${ids}::bigint[]) and ask_at is not null
    order by id`;
  return rows.map(({ id }) => ({ what: 'request', id, why: 'a charge on it has not ended' }));
}

/** Exports charges as JSON rows. */
export const exportAttempts = (
  sql: Queryable,
  accountId: string,
  requestIds: readonly number[],
): AsyncGenerator<string> =>
  textsOf(sql<{ text: string }[]>`
    select row_to_json(shown)::text as text from (
      select id, request_id, channel, connector, amount, state, started_at, reference, details
      from attempts where account_id = ${accountId} and request_id = any(${[...requestIds]}::bigint[])
      order by id
    ) as shown`);

/** Returns a charge's details without the payer's data. */
function impersonal({ details }: AttemptRow): AttemptRow['details'] {
  const { payment_metadata: paid, ...others } = details.details;
  if (!paid) return { ...details, details: others };
  const { holder_name: name, holder_email: email, ...kept } = paid;
  const isPersonal = name !== undefined || email !== undefined;
  const metadata = { ...(isPersonal && { holder_name: erasedText }), ...kept };
  return { ...details, details: { ...others, payment_metadata: metadata } };
}

/**
 * Erases payers from charges of locked requests and renews the stamps. A forged row keeps its own
 * stamp, or none, so the audit still finds it.
 */
export async function eraseAttempts(
  tx: Queryable,
  accountId: string,
  requestIds: readonly number[],
): Promise<void> {
  const rows = await tx<AttemptRow[]>`
    select account_id, id, request_id, channel, connector, amount, started_at, reference, details
    from attempts
    where account_id = ${accountId} and request_id = any(${[...requestIds]}::bigint[])
    order by id for update`;
  const forged = new Set((await forgedAmongFacts(tx, stampedAttempts, rows)).map(({ id }) => id));
  const erased = [];
  for (const row of rows) {
    const details = impersonal(row);
    const stamp = await stampAttempt(tx, { ...row, details });
    erased.push({ id: row.id, text: JSON.stringify(details), stamp, forged: forged.has(row.id) });
  }
  await tx`
    update attempts a set details = made.text::json, action = null,
      stamp = case when a.stamp is not null and not made.forged then made.stamp else a.stamp end
    from ${recordset(tx, 'made (id bigint, text text, stamp bytea, forged boolean)', erased)}
    where a.account_id = ${accountId} and a.id = made.id`;
}
