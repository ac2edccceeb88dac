import { cuitPattern, type Person, type StillNeeded } from '../platform/person.ts';
import type { Queryable } from '../platform/postgres/connect.ts';
import { recordset } from '../platform/postgres/recordset.ts';
import type { RequestKind } from './states.ts';

export interface PersonalRequest {
  id: number;
  kind: RequestKind;
  state: string;
  payer: string;
  email: string | null;
}

const mandatesKinds = { adhesion: 'debit_request', card_adhesion: 'card_debit_request' } as const;

/**
 * Finds a person's requests in an account: on their mandates, with their id number in a text, with
 * an address of theirs, or with name and address together. A name alone proves nothing.
 */
export async function personalRequests(
  sql: Queryable,
  accountId: string,
  person: Person,
  mandates: readonly { kind: keyof typeof mandatesKinds; id: number }[],
): Promise<PersonalRequest[]> {
  const pattern = cuitPattern(person);
  const debited = mandates.map(({ kind, id }) => ({ kind: mandatesKinds[kind], id }));
  return await sql<PersonalRequest[]>`
    select r.id, r.kind, r.state, r.payer, lower(r.details->>'payer_email') as email
    from requests r
    where r.account_id = ${accountId} and (
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
    order by r.id`;
}

/** Locks requests until the transaction ends. Returns those that may still be paid. */
export async function holdPersonalRequests(
  tx: Queryable,
  accountId: string,
  ids: readonly number[],
): Promise<StillNeeded[]> {
  const rows = await tx<{ id: number; kind: string; state: string }[]>`
    select id, kind, state from requests
    where account_id = ${accountId} and id = any(${[...ids]}::bigint[])
    order by id for update`;
  return rows
    .filter(({ state }) => state === 'pending' || state === 'in_process')
    .map(({ id, kind, state }) => ({ what: kind, id, why: `it is ${state}` }));
}

/** Exports requests as JSON rows. */
export async function exportRequests(
  sql: Queryable,
  accountId: string,
  ids: readonly number[],
): Promise<string[]> {
  const rows = await sql<{ text: string }[]>`
    select row_to_json(shown)::text as text from (
      select id, kind, state, state_comment, created_at, reference, payer, description, due1, total1,
        due2, total2, code, mandate_id, details
      from requests where account_id = ${accountId} and id = any(${[...ids]}::bigint[]) order by id
    ) as shown`;
  return rows.map(({ text }) => text);
}

/** Returns those lower-case addresses that an account's requests use. */
export async function emailsInUse(
  sql: Queryable,
  accountId: string,
  emails: readonly string[],
): Promise<string[]> {
  const rows = await sql<{ email: string }[]>`
    select distinct lower(details->>'payer_email') as email from requests
    where account_id = ${accountId}
      and lower(details->>'payer_email') = any(${[...emails]}::text[])`;
  return rows.map(({ email }) => email);
}
