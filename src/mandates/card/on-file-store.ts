import type { CardChannel, StoredCard } from '../../money/channels/index.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import { withinReach } from '../../platform/postgres/distributed/owners.ts';
import type { Evidence } from '../mandate.ts';
import type { SigningEmail } from '../signing-email.ts';
import { readMandates } from '../store.ts';

/**
 * The consent that the holder gives with the card. It signs the mandate once the card is stored.
 */
export interface StoredSigning {
  evidence: Evidence;
  copy: SigningEmail | null;
}

/** A mandate's card as its connector stores it. */
export interface StoredCardRow {
  account_id: string;
  mandate_id: number;
  no: number;
  connector: string;
  channel: CardChannel;
  state: 'sent' | 'refused' | 'kept' | 'closed' | 'forgetting' | 'forgotten';
  reference: string | null;
  bin: string | null;
  /** The network's id of the payment with the holder's consent. Null until known. */
  network_transaction_id: string | null;
  signing: StoredSigning | null;
  /** Number of inquiries after a notice. */
  looks: number;
}

export type StoredCardKey = Pick<StoredCardRow, 'account_id' | 'mandate_id'>;

const columns = (sql: Queryable) => sql`
  account_id, mandate_id, no, connector, channel, state, reference, bin, network_transaction_id,
  signing, looks`;

/** Returns a card's name at its connector, which identifies its mandate. */
export const cardIdOf = ({
  account_id,
  mandate_id,
  no,
}: StoredCardKey & Pick<StoredCardRow, 'no'>): string => `${account_id}-M${mandate_id}-${no}`;

/** Parses a card name made by `cardIdOf`. Returns null for other names. */
export function cardIn(text: string): (StoredCardKey & Pick<StoredCardRow, 'no'>) | null {
  const [, account_id, mandate, no] =
    /^([0-9A-F]{8})-M([1-9][0-9]{0,14})-([1-9][0-9]{0,3})$/.exec(text) ?? [];
  return account_id && mandate && no
    ? { account_id, mandate_id: Number(mandate), no: Number(no) }
    : null;
}

export async function readStoredCard(
  sql: Queryable,
  { account_id, mandate_id }: StoredCardKey,
): Promise<StoredCardRow | null> {
  const [row = null] = await sql<StoredCardRow[]>`
    select ${columns(sql)} from kept_cards
    where account_id = ${account_id} and mandate_id = ${mandate_id}`;
  return row;
}

/** Records a card as being sent, in place of a refused one. */
export async function sendCard(
  sql: Queryable,
  {
    account_id,
    mandate_id,
    connector,
    channel,
    signing,
  }: Omit<StoredCardRow, 'no' | 'state' | 'reference' | 'bin' | 'network_transaction_id' | 'looks'>,
  askAt: Temporal.Instant,
): Promise<StoredCardRow> {
  const [row] = await sql<StoredCardRow[]>`
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

/**
 * Moves a card to its next state. Clears the stored consent, and all that the state does not set.
 */
export async function moveCard(
  sql: Queryable,
  { account_id, mandate_id }: StoredCardKey,
  to:
    | { state: 'refused' | 'forgotten' }
    | {
        state: 'kept' | 'forgetting';
        reference: string;
        bin: string | null;
        networkTransactionId: string | null;
        askAt: Temporal.Instant | null;
        warnAt: Temporal.Instant | null;
      },
): Promise<void> {
  const {
    reference = null,
    bin = null,
    networkTransactionId = null,
    askAt = null,
    warnAt = null,
  } = 'reference' in to ? to : {};
  await sql`
    update kept_cards set state = ${to.state}, reference = ${reference}, bin = ${bin},
      network_transaction_id = ${networkTransactionId}, signing = null,
      ask_at = ${askAt}::timestamptz, warn_at = ${warnAt}::timestamptz
    where account_id = ${account_id} and mandate_id = ${mandate_id}`;
}

export const askAgain = (
  sql: Queryable,
  { account_id, mandate_id }: StoredCardKey,
  at: Temporal.Instant,
) =>
  sql`
    update kept_cards set ask_at = ${at}::timestamptz
    where account_id = ${account_id} and mandate_id = ${mandate_id} and ask_at is not null`;

export const readDueInquiries = (sql: Queryable, now: Temporal.Instant): Promise<StoredCardRow[]> =>
  sql<StoredCardRow[]>`
    select ${columns(sql)} from kept_cards where ask_at <= ${now}::timestamptz ${withinReach(sql)}
    order by ask_at limit 100`;

export async function nextInquiry(sql: Queryable): Promise<Temporal.Instant | null> {
  const [row] = await sql<{ due: Temporal.Instant | null }[]>`
    select min(ask_at) as due from kept_cards where ask_at is not null ${withinReach(sql)}`;
  return row?.due ?? null;
}

/** Builds a CTE that marks the cards of ended mandates for deletion. */
export const forgetWith = (sql: Queryable, ended: string, now: Temporal.Instant) => sql`
  forgotten_cards as (
    update kept_cards k set state = 'forgetting', ask_at = ${now}::timestamptz
    from ${sql(ended)} m
    where m.kind = 'card_adhesion' and k.account_id = m.account_id and k.mandate_id = m.id
      and k.state in ('kept', 'closed')
  )`;

/** Numbers an inquiry before it is sent, so that the answer to the latest inquiry wins. */
export async function beginLook(
  sql: Queryable,
  { account_id, mandate_id }: StoredCardKey,
): Promise<number> {
  const [row] = await sql<{ looks: number }[]>`
    update kept_cards set looks = looks + 1
    where account_id = ${account_id} and mandate_id = ${mandate_id} returning looks`;
  if (!row) throw new Error('a card on file is gone');
  return row.looks;
}

/**
 * Updates how a card on file is charged. Absent fields stay unchanged. Requires the mandate's lock.
 */
export async function setCard(
  sql: Queryable,
  { account_id, mandate_id }: StoredCardKey,
  to:
    | { state: 'closed' }
    | {
        state: 'kept';
        reference: string;
        bin: string | null;
        networkTransactionId: string | null;
        warnAt?: Temporal.Instant | null;
      },
): Promise<void> {
  const {
    reference = null,
    bin = null,
    networkTransactionId = null,
    warnAt,
  } = to.state === 'kept' ? to : {};
  await sql`
    update kept_cards set state = ${to.state}, reference = coalesce(${reference}, reference),
      bin = case when ${to.state} = 'kept' then ${bin}::text else bin end,
      network_transaction_id = coalesce(${networkTransactionId}, network_transaction_id),
      warn_at = case when ${warnAt === undefined}::boolean then warn_at
        else ${warnAt ?? null}::timestamptz end
    where account_id = ${account_id} and mandate_id = ${mandate_id}`;
}

/** Stores the network's id of the first debit, unless the holder's own payment already set it. */
export async function noteNetworkId(
  sql: Queryable,
  { account_id, mandate_id }: StoredCardKey,
  networkTransactionId: string,
): Promise<void> {
  await sql`
    update kept_cards set network_transaction_id = ${networkTransactionId}
    where account_id = ${account_id} and mandate_id = ${mandate_id}
      and network_transaction_id is null and state in ('kept', 'closed')`;
}

export const readToWarn = (sql: Queryable, now: Temporal.Instant): Promise<StoredCardKey[]> =>
  sql<StoredCardKey[]>`
    select account_id, mandate_id from kept_cards
    where warn_at <= ${now}::timestamptz and state = 'kept' ${withinReach(sql)}
    order by warn_at limit 100`;

export async function nextToWarn(sql: Queryable): Promise<Temporal.Instant | null> {
  const [row] = await sql<{ due: Temporal.Instant | null }[]>`
    select min(warn_at) as due from kept_cards
    where warn_at is not null and state = 'kept' ${withinReach(sql)}`;
  return row?.due ?? null;
}

/** Records an expiry warning. Returns false if it was recorded before. */
export async function noteWarned(
  sql: Queryable,
  { account_id, mandate_id }: StoredCardKey,
  now: Temporal.Instant,
): Promise<boolean> {
  const rows = await sql`
    update kept_cards set warn_at = null
    where account_id = ${account_id} and mandate_id = ${mandate_id} and state = 'kept'
      and warn_at <= ${now}::timestamptz returning 1`;
  return rows.length === 1;
}

/** Postpones a warning that failed, so that it does not delay the warnings after it. */
export const postponeWarning = (
  sql: Queryable,
  { account_id, mandate_id }: StoredCardKey,
  at: Temporal.Instant,
) => sql`
  update kept_cards set warn_at = ${at}::timestamptz
  where account_id = ${account_id} and mandate_id = ${mandate_id} and state = 'kept'
    and warn_at < ${at}::timestamptz`;

/** A card on file, as needed for a debit. */
export interface CardOnFile {
  connector: string;
  card: StoredCard;
  /** The issuer's reason for closing it. Null if it is open. */
  closed: string | null;
}

/**
 * Returns a mandate's card on file, or null if there is none. Locks it until the transaction ends.
 */
export async function lockStoredCard(
  tx: Queryable,
  key: StoredCardKey,
): Promise<CardOnFile | null> {
  const { account_id: accountId, mandate_id: id } = key;
  const [row] = await tx<StoredCardRow[]>`
    select ${columns(tx)} from kept_cards
    where account_id = ${accountId} and mandate_id = ${id} for share`;
  // A separate statement, because a statement that waited for the lock would see an outdated
  // mandate.
  const [mandate] = await readMandates(tx, [{ accountId, kind: 'card_adhesion', id }]);
  if (!row?.reference || mandate?.kind !== 'card_adhesion') return null;
  const { details } = mandate;
  const { brand, last_four: lastFour, debit_reason: reason = 'recurring' } = details;
  if (!brand || !lastFour) return null;
  const { connector, channel, reference, bin, network_transaction_id: networkTransactionId } = row;
  const onFile = { reason, networkTransactionId };
  return {
    connector,
    card: { reference, channel, brand, bin, lastFour, onFile },
    closed: row.state === 'closed' ? (details.closed ?? '') : null,
  };
}

/** Erases the holder from the stored cards of a relation `(kind, mandate_id)`. */
export const eraseStoredCards = (sql: Queryable, named: string, accountId: string) => sql`
  erased_cards as (
    update kept_cards k set signing = null, bin = null
    from ${sql(named)} as named where k.account_id = ${accountId}
      and named.kind = 'card_adhesion' and k.mandate_id = named.mandate_id
  )`;
