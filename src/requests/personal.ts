import { cuitPattern, type Person, type StillNeeded } from '../platform/person.ts';
import type { Queryable } from '../platform/postgres/connect.ts';
import { recordset } from '../platform/postgres/recordset.ts';
import { textsOf } from '../platform/postgres/texts.ts';
import { entityIdIn } from './kinds.ts';
import { isErased } from './move.ts';
import type { RequestKind } from './states.ts';

/** A person's requests: ids instead of rows, because some people have hundreds of thousands. */
export interface PersonalRequests {
  ids: number[];
  /** Codes of QRs, which stored responses use as ids. */
  codes: string[];
  /** Names and lower-case addresses in these requests. */
  payers: string[];
  emails: string[];
}

/** A request whose payer is not erased yet. */
export interface UnerasedRequest {
  id: number;
  kind: RequestKind;
  state: string;
  email: string | null;
  /** Id of the entity in events: of QRs, their code. */
  entity_id: string;
}

const mandatesKinds = { adhesion: 'debit_request', card_adhesion: 'card_debit_request' } as const;

const rowsAtOnce = 1000;

/**
 * Finds a person's requests in an account: on their mandates, with their id number in a text, with
 * one of their addresses, or with a known name and address together. A name alone proves nothing.
 * Excludes erased requests, so that an interrupted erasure continues.
 */
export async function personalRequests(
  sql: Queryable,
  accountId: string,
  person: Person,
  mandates: readonly { kind: keyof typeof mandatesKinds; id: number }[],
): Promise<PersonalRequests> {
  const pattern = cuitPattern(person);
  const debited = mandates.map(({ kind, id }) => ({ kind: mandatesKinds[kind], id }));
  const found: PersonalRequests = { ids: [], codes: [], payers: [], emails: [] };
  const [payers, emails] = [new Set<string>(), new Set<string>()];
  const rows = sql<{ id: number; code: string | null; payer: string; email: string | null }[]>`
    select r.id, case r.kind when 'qr' then r.code end as code, r.payer,
      lower(r.details->>'payer_email') as email
    from requests r
    where r.account_id = ${accountId} and not ${isErased(sql)} and (
      (r.mandate_id is not null and (r.kind, r.mandate_id) in (
        select * from ${recordset(sql, 'mandate (kind text, id bigint)', debited)}))
      or lower(r.details->>'payer_email') = any(${[...person.emails]}::text[])
      or (lower(r.details->>'payer_email'), folded(r.payer)) in (
        select email, folded(name) from ${recordset(
          sql,
          'known (email text, name text)',
          person.known,
        )})
      or r.payer ~ ${pattern} or r.description ~ ${pattern}
      or r.details->>'metadata' ~ ${pattern} or r.details->>'items' ~ ${pattern}
    )
    order by r.id`.cursor(rowsAtOnce);
  for await (const some of rows) {
    for (const { id, code, payer, email } of some) {
      found.ids.push(id);
      if (code !== null) found.codes.push(code);
      payers.add(payer);
      if (email !== null) emails.add(email);
    }
  }
  return { ...found, payers: [...payers], emails: [...emails] };
}

/**
 * Returns the requests that are not erased yet. With `lock`, locks them until the transaction ends.
 */
export const unerasedRequests = (
  tx: Queryable,
  accountId: string,
  ids: readonly number[],
  { lock }: { lock: boolean },
): Promise<UnerasedRequest[]> => tx<UnerasedRequest[]>`
  select r.id, r.kind, r.state, lower(r.details->>'payer_email') as email,
    ${entityIdIn(tx)} as entity_id
  from requests r
  where r.account_id = ${accountId} and r.id = any(${[...ids]}::bigint[]) and not ${isErased(tx)}
  order by r.id ${lock ? tx`for update` : tx``}`;

/** Returns the requests that may still be paid. */
export const requestsNeeded = (held: readonly UnerasedRequest[]): StillNeeded[] =>
  held
    .filter(({ state }) => state === 'pending' || state === 'in_process')
    .map(({ id, kind, state }) => ({ what: kind, id, why: `it is ${state}` }));

/** Exports requests as JSON rows. */
export const exportRequests = (
  sql: Queryable,
  accountId: string,
  ids: readonly number[],
): AsyncGenerator<string> =>
  textsOf(sql<{ text: string }[]>`
    select row_to_json(shown)::text as text from (
      select id, kind, state, state_comment, created_at, reference, payer, description, due1, total1,
        due2, total2, code, mandate_id, details
      from requests where account_id = ${accountId} and id = any(${[...ids]}::bigint[]) order by id
    ) as shown`);

/** Returns which of the lower-case addresses an account's requests use. */
export async function emailsInUse(
  sql: Queryable,
  accountId: string,
  emails: readonly string[],
): Promise<string[]> {
  const rows = await sql<{ email: string }[]>`
    select email from unnest(${[...emails]}::text[]) as asked (email)
    cross join lateral (
      select from requests where account_id = ${accountId}
        and lower(details->>'payer_email') = asked.email limit 1
    ) as one`;
  return rows.map(({ email }) => email);
}
