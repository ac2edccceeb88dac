import { writeEvents } from '../events/index.ts';
import { type Actor, actorText } from '../platform/actor.ts';
import { type Mail, queueMails } from '../platform/mail/queue.ts';
import type { Queryable } from '../platform/postgres/connect.ts';
import { moveRequests, requestsOfKind, stepTerms, transitions } from '../requests/index.ts';
import { forgetWith } from './card/on-file-store.ts';
import type { CardDetails, Evidence, MandateKey, MandateKind, MandateRow } from './mandate.ts';
import { mandateTransitions } from './states.ts';
import { mandateColumns } from './store.ts';

/** The kind of debit that each kind of mandate allows. */
const debitKind = { adhesion: 'debit_request', card_adhesion: 'card_debit_request' } as const;

/** The end of a mandate: its move, reason and author. */
export interface Ending {
  key: MandateKey;
  move: 'decline' | 'expire' | 'revoke' | 'cancel';
  comment: string;
  actor: Actor;
  /** Evidence of the holder's act, stored in addition to the signature's evidence. */
  evidence: Evidence | null;
  /** The email to the holder, if the holder acted. */
  mail?: Mail;
  /** Number of the closed account or card. A mandate that has moved to another one continues. */
  instrumentNo?: number;
}

/** The current time by both clocks. Emails use the wall clock. */
export interface Moments {
  now: Temporal.Instant;
  wallNow: Temporal.Instant;
}

interface EventIds {
  mandate: number;
  /** One id for each pending debit that may exist. Unused ids are lost. */
  debits: number[];
}

/**
 * Ends a mandate with its pending debits in one statement, so that no debit is submitted on an
 * ended mandate. Returns null if its state does not allow it.
 */
export async function endMandate(
  sql: Queryable,
  { key, move, comment, actor, evidence, mail, instrumentNo }: Ending,
  ids: EventIds,
  { now, wallNow }: Moments,
): Promise<MandateRow | null> {
  const { from, to } = mandateTransitions[move];
  const kind = debitKind[key.kind];
  const proof = evidence && JSON.stringify(evidence);
  const beside = evidence && JSON.stringify({ revoked: evidence });
  const [row] = await sql<MandateRow[]>`
    with ended as (
      update mandates m set state = ${to}, version = m.version + 1,
        canceled_at = ${now}::timestamptz, state_comment = ${comment},
        card_erase_at = case when m.kind = 'card_adhesion' then ${now}::timestamptz end,
        evidence = case when m.evidence is null or ${proof}::text is null
          then coalesce(${proof}::text::json, m.evidence)
          else (m.evidence::jsonb || ${beside}::text::jsonb)::json end
      where m.account_id = ${key.accountId} and m.kind = ${key.kind} and m.id = ${key.id}
        and m.state = any(${[...from]}::text[])
        and m.instrument_no = coalesce(${instrumentNo ?? null}::smallint, m.instrument_no)
        -- The link may have been renewed since the sweep found it expired.
        and (not ${move === 'expire'}::boolean or m.sign_before <= ${now}::timestamptz)
      returning ${mandateColumns(sql)}
    ),
    ${forgetWith(sql, 'ended', now)},
    step as (
      select r.account_id, r.id as request_id, r.kind,
        (${ids.debits}::bigint[])[row_number() over (order by r.id)] as event_id,
        null::text as data,
        ${stepTerms(sql, { kind, move: 'cancel', at: now, actor, comment })}
      from ${requestsOfKind(sql, kind)}
      join ended on r.account_id = ended.account_id and r.mandate_id = ended.id
      where r.state = any(${[...transitions[kind].cancel.from]}::text[])
    ),
    ${moveRequests(sql, 'step', [key.accountId])},
    new_events as (
      select account_id, kind as entity, id::text as entity_id, version,
        ${ids.mandate}::bigint as id, kind || '.canceled' as type, ${now}::timestamptz as at,
        ${actorText(actor)}::text as actor,
        json_strip_nulls(json_build_object('state', state, 'external_reference', reference,
          'state_comment', state_comment))::text as data
      from ended
    ),
    ${tellHolder(sql, mail, 'ended', wallNow)}
    ${writeEvents(sql, 'new_events')}
    select * from ended`;
  return row ?? null;
}

/** Builds a CTE that queues an email if the mandate moved. */
const tellHolder = (
  sql: Queryable,
  mail: Mail | undefined,
  moved: string,
  wallNow: Temporal.Instant,
) =>
  mail === undefined
    ? sql``
    : sql`
    told as (select account_id, ${mail.id}::bigint as mail_id from ${sql(moved)}),
    ${queueMails(sql, [mail], 'told', wallNow)},`;

interface Signing {
  key: MandateKey;
  actor: Actor;
  evidence: Evidence;
  mail: Mail | undefined;
  details?: CardDetails;
}

/**
 * Signs a mandate. Returns null if it no longer awaits a signature, its deadline has passed, or its
 * card on file is missing.
 */
export async function signMandate(
  sql: Queryable,
  { key, actor, evidence, mail, details }: Signing,
  eventId: number,
  { now, wallNow }: Moments,
): Promise<MandateRow | null> {
  const { from, to } = mandateTransitions.sign;
  const changed = details ? JSON.stringify(details) : null;
  const [row] = await sql<MandateRow[]>`
    with signed as (
      update mandates m set state = ${to}, version = m.version + 1,
        signed_at = ${now}::timestamptz, evidence = ${JSON.stringify(evidence)}::text::json,
        details = coalesce(${changed}::text::json, m.details)
      where m.account_id = ${key.accountId} and m.kind = ${key.kind} and m.id = ${key.id}
        and m.state = any(${[...from]}::text[])
        and (not m.keeps_card or ${changed}::text is not null) and m.sign_before > ${now}::timestamptz
      returning ${mandateColumns(sql)}
    ),
    new_events as (
      select account_id, kind as entity, id::text as entity_id, version, ${eventId}::bigint as id,
        kind || '.signed' as type, ${now}::timestamptz as at, ${actorText(actor)}::text as actor,
        json_strip_nulls(json_build_object('state', state, 'external_reference', reference))::text
          as data
      from signed
    ),
    ${tellHolder(sql, mail, 'signed', wallNow)}
    ${writeEvents(sql, 'new_events')}
    select * from signed`;
  return row ?? null;
}

export async function pendingDebits(
  sql: Queryable,
  { accountId, kind, id }: { accountId: string; kind: MandateKind; id: number },
): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from ${requestsOfKind(sql, debitKind[kind])}
    where account_id = ${accountId} and mandate_id = ${id} and state = 'pending'`;
  return row?.count ?? 0;
}
