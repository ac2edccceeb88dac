import type { CardChannel, KeptCard } from '../../money/channels/index.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import { withinReach } from '../../platform/postgres/owners.ts';
import type { Letter } from '../letter.ts';
import type { CardMandate, Evidence } from '../mandate.ts';

/** What its holder agreed to as he handed his card over: it is signed once the card is kept. */
export interface StoredSigning {
  evidence: Evidence;
  copy: Letter | null;
}

/** A mandate's card at its connector. */
export interface KeptRow {
  account_id: string;
  mandate_id: number;
  no: number;
  connector: string;
  channel: CardChannel;
  state: 'sent' | 'refused' | 'kept' | 'forgetting' | 'forgotten';
  reference: string | null;
  bin: string | null;
  signing: StoredSigning | null;
}

export type KeptKey = Pick<KeptRow, 'account_id' | 'mandate_id'>;

const columns = (sql: Queryable) => sql`
  account_id, mandate_id, no, connector, channel, state, reference, bin, signing`;

export async function readKept(
  sql: Queryable,
  { account_id, mandate_id }: KeptKey,
): Promise<KeptRow | null> {
  const [row = null] = await sql<KeptRow[]>`
    select ${columns(sql)} from kept_cards
    where account_id = ${account_id} and mandate_id = ${mandate_id}`;
  return row;
}

/** Writes down that a card is on its way, in place of one that was refused. */
export async function sendCard(
  sql: Queryable,
  {
    account_id,
    mandate_id,
    connector,
    channel,
    signing,
  }: Omit<KeptRow, 'no' | 'state' | 'reference' | 'bin'>,
  askAt: Temporal.Instant,
): Promise<KeptRow> {
  const [row] = await sql<KeptRow[]>`
    insert into kept_cards as k (account_id, mandate_id, no, connector, channel, state, signing,
      ask_at)
    values (${account_id}, ${mandate_id}, 1, ${connector}, ${channel}, 'sent',
      ${JSON.stringify(signing)}::text::json, ${askAt}::timestamptz)
    on conflict (account_id, mandate_id) do update set no = k.no + 1,
      connector = excluded.connector, channel = excluded.channel, state = 'sent',
      signing = excluded.signing, ask_at = excluded.ask_at
    returning ${columns(sql)}`;
  if (!row) throw new Error('a card was not written down');
  return row;
}

/** How a card goes on; the mandate is held. */
export async function moveCard(
  sql: Queryable,
  { account_id, mandate_id }: KeptKey,
  to:
    | { state: 'refused' | 'forgotten' }
    | {
        state: 'kept' | 'forgetting';
        reference: string;
        bin: string | null;
        askAt: Temporal.Instant | null;
      },
): Promise<void> {
  const { reference = null, bin = null, askAt = null } = 'reference' in to ? to : {};
  await sql`
    update kept_cards set state = ${to.state}, reference = ${reference}, bin = ${bin},
      signing = null, ask_at = ${askAt}::timestamptz
    where account_id = ${account_id} and mandate_id = ${mandate_id}`;
}

export const askAgain = (
  sql: Queryable,
  { account_id, mandate_id }: KeptKey,
  at: Temporal.Instant,
) =>
  sql`
    update kept_cards set ask_at = ${at}::timestamptz
    where account_id = ${account_id} and mandate_id = ${mandate_id} and ask_at is not null`;

export const readAsked = (sql: Queryable, now: Temporal.Instant): Promise<KeptRow[]> =>
  sql<KeptRow[]>`
    select ${columns(sql)} from kept_cards where ask_at <= ${now}::timestamptz ${withinReach(sql)}
    order by ask_at limit 100`;

export async function nextAsked(sql: Queryable): Promise<Temporal.Instant | null> {
  const [row] = await sql<{ due: Temporal.Instant | null }[]>`
    select min(ask_at) as due from kept_cards where ask_at is not null ${withinReach(sql)}`;
  return row?.due ?? null;
}

/** The cards that a relation of mandates ended kept are to be forgotten; a part of a statement. */
export const forgetWith = (sql: Queryable, ended: string, now: Temporal.Instant) => sql`
  forgotten_cards as (
    update kept_cards k set state = 'forgetting', ask_at = ${now}::timestamptz
    from ${sql(ended)} m
    where m.kind = 'card_adhesion' and k.account_id = m.account_id and k.mandate_id = m.id
      and k.state = 'kept'
  )`;

/** What a mandate's card is charged by, and where; null: it is not kept. */
export async function findKeptCard(
  sql: Queryable,
  mandate: CardMandate,
): Promise<{ connector: string; card: KeptCard } | null> {
  const { account_id, id: mandate_id, details } = mandate;
  const row = await readKept(sql, { account_id, mandate_id });
  const { brand, last_four: lastFour } = details;
  if (!row?.reference || !brand || !lastFour) return null;
  const { connector, channel, reference, bin } = row;
  return { connector, card: { reference, channel, brand, bin, lastFour } };
}
