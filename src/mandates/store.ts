import { writeEvents } from '../events/index.ts';
import { inOrderOf } from '../kernel/lists.ts';
import { type Actor, actorText } from '../platform/actor.ts';
import type { Base } from '../platform/base.ts';
import type { BusinessClock, Clocks } from '../platform/clocks.ts';
import {
  type ClaimedCreation,
  type CreationOutcome,
  createOnce,
  freshRows,
} from '../platform/idempotency.ts';
import { type EmailLink, type Mail, queueMails } from '../platform/mail/queue.ts';
import { lockNames } from '../platform/postgres/advisory-lock.ts';
import type { Queryable, Transaction } from '../platform/postgres/connect.ts';
import { foundOf } from '../platform/postgres/distributed/owners.ts';
import { takePlace } from '../platform/postgres/places.ts';
import { recordset } from '../platform/postgres/recordset.ts';
import { refusal } from './codes.ts';
import type { Evidence, MandateKey, MandateRow, MandateState } from './mandate.ts';

type Fragment = ReturnType<Queryable>;

export const mandateColumns = (sql: Queryable): Fragment => sql`
  m.account_id, m.kind, m.id, m.state, m.version, m.created_at, m.sign_before, m.reference,
  m.holder, m.email, m.description, m.payer, m.cbu, m.card_key_id, m.card_ciphertext, m.details,
  m.signed_at, m.canceled_at, m.state_comment, m.link_no, m.keeps_card`;

export interface NewMandate extends ClaimedCreation {
  row: MandateRow;
  mail: Mail;
  eventId: number;
  actor: Actor;
}

const newRows = (sql: Queryable, news: NewMandate[]): Fragment => {
  const rows = news.map(({ row, mail, eventId, actor }) => ({
    cbu: null,
    card_key_id: null,
    card_ciphertext: null,
    keeps_card: false,
    ...row,
    details: JSON.stringify(row.details),
    mail_id: mail.id,
    event_id: eventId,
    actor: actorText(actor),
  }));
  const shape = `n (account_id text, kind text, id bigint, created_at timestamptz,
    sign_before timestamptz, reference text, holder text, email text, description text, payer text,
    cbu text, card_key_id text, card_ciphertext bytea, keeps_card boolean, details text,
    mail_id bigint, event_id bigint, actor text)`;
  return sql`select * from ${recordset(sql, shape, rows)}`;
};

const insertSorted = (
  sql: Queryable,
  clocks: Clocks,
  sorted: NewMandate[],
  claims: Fragment,
): Promise<{ id: number }[]> => sql<{ id: number }[]>`
    with new_mandate as materialized (${newRows(sql, sorted)}),
    ${claims},
    ${freshRows(sql, 'new_mandate')},
    created as (
      insert into mandates (account_id, kind, id, state, version, created_at, sign_before,
        reference, holder, email, description, payer, cbu, card_key_id, card_ciphertext, keeps_card,
        details, place)
      select account_id, kind, id, 'pending_to_sign', 1, created_at, sign_before, reference,
        holder, email, description, payer, cbu, card_key_id, card_ciphertext, keeps_card,
        details::json, ${takePlace(
          sql,
          'mandates',
          sorted.map(({ accountId }) => accountId),
        )}
      from fresh
    ),
    ${queueMails(
      sql,
      sorted.map(({ mail }) => mail),
      'fresh',
      clocks.wall.now(),
    )},
    new_events as (
      select account_id, kind as entity, id::text as entity_id, 1 as version, event_id as id,
        kind || '.created' as type, created_at as at, actor,
        json_strip_nulls(json_build_object('state', 'pending_to_sign', 'external_reference',
          reference))::text as data
      from fresh
    ),
    ${writeEvents(sql, 'new_events')}
    select id from fresh`;

/** Serializes the counts of unsigned mandates per account. */
const lockUnsigned = (tx: Queryable, accountIds: string[]): Promise<void> =>
  lockNames(tx, ...accountIds.map((accountId) => `unsigned mandates ${accountId}`));

/** Throws 409 if too many of an account's mandates await a signature. */
async function refuseTooMany(tx: Queryable, mostOf: ReadonlyMap<string, number>): Promise<void> {
  const bounded = [...mostOf].filter(([, most]) => most > 0).map(([accountId]) => accountId);
  if (bounded.length === 0) return;
  const waiting = await foundOf(
    tx,
    bounded,
    (owners) => tx<{ account_id: string; waiting: number }[]>`
      select account_id, count(*)::int as waiting from mandates
      where account_id = any(${owners}::text[]) and kind = any('{adhesion,card_adhesion}')
        and state = 'pending_to_sign'
      group by account_id`,
  );
  for (const { account_id: accountId, waiting: count } of waiting) {
    const most = mostOf.get(accountId) ?? 0;
    if (count > most) throw refusal('adhesion.too_many_unsigned', { most });
  }
}

/**
 * Inserts mandates of one kind with their emails, events and stored responses in one statement. A
 * repeated call gets its first response and is not counted again.
 */
export async function insertMandates(
  { sql, clocks }: Base,
  news: NewMandate[],
  mostUnsigned: (accountId: string) => Promise<number>,
  outer?: Transaction,
): Promise<(CreationOutcome | Error)[]> {
  const mostOf = new Map<string, number>();
  for (const { accountId } of news) {
    if (!mostOf.has(accountId)) mostOf.set(accountId, await mostUnsigned(accountId));
  }
  return await createOnce(outer ?? sql, news, clocks.wall.now(), (sorted, claims) => {
    const insert = async (tx: Queryable): Promise<{ id: number }[]> => {
      await lockUnsigned(tx, [...mostOf.keys()]);
      const fresh = await insertSorted(tx, clocks, sorted, claims);
      if (fresh.length > 0) await refuseTooMany(tx, mostOf);
      return fresh;
    };
    return outer ? insert(outer) : sql.begin(insert);
  });
}

/** Returns, for each email, true if its signing link still works or it has none. */
export const linkStillPending =
  (business: BusinessClock) =>
  async (sql: Queryable, accountId: string, links: (EmailLink | null)[]): Promise<boolean[]> => {
    const rows = await sql<{ no: number; asks: boolean }[]>`
      select asked.no::int as no, m.state <> 'canceled' and m.link_no = asked.link_no
        and (m.state <> 'pending_to_sign' or m.sign_before > ${business.now()}::timestamptz) as asks
      from unnest(
        ${links.map((link) => link?.kind ?? null)}::text[],
        ${links.map((link) => link?.id ?? null)}::bigint[],
        ${links.map((link) => link?.no ?? null)}::smallint[]
      ) with ordinality as asked (kind, id, link_no, no)
      join mandates m on m.account_id = ${accountId} and m.kind = asked.kind and m.id = asked.id`;
    return inOrderOf(links, rows).map((row) => row?.asks ?? true);
  };

/** Reads mandates by their keys in one round trip. Unknown keys yield null. */
export async function readMandates(
  sql: Queryable,
  keys: MandateKey[],
): Promise<(MandateRow | null)[]> {
  const rows = await sql<(MandateRow & { no: number })[]>`
    select wanted.no::int as no, ${mandateColumns(sql)}
    from ${recordset(sql, 'wanted (account_id text, kind text, id bigint, no ordinality)', keys)}
    join mandates m using (account_id, kind, id)`;
  return inOrderOf(keys, rows);
}

/** Reads a mandate and locks it until the transaction ends. Returns null if there is none. */
export async function lockMandate(sql: Queryable, key: MandateKey): Promise<MandateRow | null> {
  const [row] = await sql<MandateRow[]>`
    select ${mandateColumns(sql)} from mandates m
    where m.account_id = ${key.accountId} and m.kind = ${key.kind} and m.id = ${key.id}
    for update`;
  return row ?? null;
}

/** Returns the evidence of the holder's answer, or null if there is no answer yet. */
export async function readEvidence(
  sql: Queryable,
  { accountId, kind, id }: MandateKey,
): Promise<Evidence | null> {
  const [row] = await sql<{ evidence: Evidence | null }[]>`
    select evidence from mandates
    where account_id = ${accountId} and kind = ${kind} and id = ${id}`;
  return row?.evidence ?? null;
}

export async function queueEmail(sql: Queryable, mail: Mail, now: Temporal.Instant): Promise<void> {
  await sql`
    with letter as (select ${mail.accountId}::text as account_id, ${mail.id}::bigint as mail_id),
    ${queueMails(sql, [mail], 'letter', now)}
    select 1`;
}

/**
 * Counts a reminder on a locked mandate. `until` is the expiry of a new link, or null to keep the
 * current one.
 */
export async function countReminder(
  sql: Queryable,
  { accountId, kind, id }: MandateKey,
  until: Temporal.Instant | null,
): Promise<MandateRow> {
  const [row] = await sql<MandateRow[]>`
    update mandates m set version = m.version + 1,
      link_no = m.link_no + ${until === null ? 0 : 1},
      sign_before = coalesce(${until}::timestamptz, m.sign_before)
    where m.account_id = ${accountId} and m.kind = ${kind} and m.id = ${id}
    returning ${mandateColumns(sql)}`;
  if (!row) throw new Error('a mandate that was held is gone');
  return row;
}

/** Reads and locks mandates, so that none ends while debits are created on them. */
export async function lockMandates(
  sql: Queryable,
  keys: MandateKey[],
): Promise<Map<string, MandateState>> {
  const rows = await sql<{ name: string; state: MandateState }[]>`
    select m.account_id || ' ' || m.kind || ' ' || m.id as name, m.state
    from mandates m
    where m.account_id = any(${[...new Set(keys.map((key) => key.accountId))]}::text[])
      and (m.account_id, m.kind, m.id) in (
      select * from ${recordset(sql, 'key (account_id text, kind text, id bigint)', keys)}
    )
    order by m.account_id, m.kind, m.id for share`;
  return new Map(rows.map((row) => [row.name, row.state]));
}

export const mandateName = ({ accountId, kind, id }: MandateKey): string =>
  `${accountId} ${kind} ${id}`;

/** Returns the latest signing deadline among mandates made before a moment, or null. */
export async function lastSignBefore(
  sql: Queryable,
  madeBefore: Temporal.Instant,
): Promise<Temporal.Instant | null> {
  const [row] = await sql<{ sign_before: Temporal.Instant | null }[]>`
    select max(sign_before) as sign_before from mandates
    where created_at <= ${madeBefore}::timestamptz`;
  return row?.sign_before ?? null;
}

/** Returns true if a signed mandate was made before a moment: its holder may still revoke it. */
export async function hasSigned(sql: Queryable, madeBefore: Temporal.Instant): Promise<boolean> {
  const rows = await sql`
    select 1 from mandates
    where state = 'signed' and created_at <= ${madeBefore}::timestamptz limit 1`;
  return rows.length > 0;
}
