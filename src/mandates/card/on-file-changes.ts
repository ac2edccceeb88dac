import { appendEvents } from '../../events/index.ts';
import { midnightOf } from '../../kernel/dates.ts';
import { type Channels, cardBrands, type KeepOutcome } from '../../money/channels/index.ts';
import { type Actor, system } from '../../platform/actor.ts';
import type { Base } from '../../platform/base.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import type { Sweep } from '../../platform/sweeps.ts';
import type { CardDetails, CardMandate, MandateKey } from '../mandate.ts';
import { lockMandate } from '../store.ts';
import {
  beginLook,
  cardIn,
  nextToWarn,
  noteWarned,
  postponeWarning,
  readStoredCard,
  readToWarn,
  type StoredCardKey,
  type StoredCardRow,
  setCard,
} from './on-file-store.ts';

type CardAnswer = Extract<KeepOutcome, { outcome: 'kept' | 'closed' }>;

/**
 * Result of an inquiry about a card. `unknown`: the connector could not say. `odd`: it reports an
 * impossible card. `not_there`: we have no such card at this connector.
 */
export type CardLook = 'done' | 'unknown' | 'odd' | 'not_there';

/**
 * Asks a connector for the state of a card that it reported as changed. Trusts the answer, never
 * the notice.
 */
export type LookAtCard = (look: {
  connector: string;
  cardId: string;
  actor: Actor;
}) => Promise<CardLook>;

const daysToWarn = 30;
/**
 * Maximum number of inquiries. A newer inquiry voids the answer to an older one, which then asks
 * again.
 */
const mostLooks = 3;

export const mandateKeyOf = ({
  account_id: accountId,
  mandate_id: id,
}: StoredCardKey): MandateKey => ({
  accountId,
  kind: 'card_adhesion',
  id,
});

/** Returns when to warn an account that a card expires, or null if its month is unknown. */
export function warningOf(expires: string | null): Temporal.Instant | null {
  if (expires === null) return null;
  const month = Temporal.PlainYearMonth.from(expires).add({ months: 1 });
  return midnightOf(month.toPlainDate({ day: 1 }).subtract({ days: daysToWarn }));
}

/** Returns the displayable data of a card on file. */
export const detailsOf = ({
  brand,
  lastFour,
  expires,
}: Extract<KeepOutcome, { outcome: 'kept' }>): CardDetails => ({
  brand,
  brand_name: cardBrands[brand].label,
  last_four: lastFour,
  ...(expires !== null && { expires }),
});

/** Returns a mandate's card details after the connector's answer. */
function nextDetails(
  { reference }: StoredCardRow,
  before: CardDetails,
  answer: CardAnswer,
): CardDetails {
  if (answer.outcome === 'closed') return { ...before, closed: answer.text };
  const { closed: _closed, expires, ...rest } = before;
  const isSameCard = answer.reference === reference && answer.lastFour === before.last_four;
  // A connector may omit the month, so keep it while the card is the same.
  return { ...rest, ...(isSameCard && expires !== undefined && { expires }), ...detailsOf(answer) };
}

const fieldsOf = ({ brand, last_four, expires, closed }: CardDetails): string =>
  JSON.stringify([brand, last_four, expires, closed]);

/** Returns true if the answer changes nothing. */
const isSame = (
  row: StoredCardRow,
  before: CardDetails,
  next: CardDetails,
  answer: CardAnswer,
): boolean =>
  row.state === answer.outcome &&
  fieldsOf(before) === fieldsOf(next) &&
  (answer.outcome === 'closed' || (answer.reference === row.reference && answer.bin === row.bin));

/** Updates the details of a locked mandate. Returns the new version. */
async function writeDetails(
  tx: Queryable,
  { accountId, kind, id }: MandateKey,
  details: CardDetails,
): Promise<number> {
  const [row] = await tx<{ version: number }[]>`
    update mandates set details = ${JSON.stringify(details)}::text::json, version = version + 1
    where account_id = ${accountId} and kind = ${kind} and id = ${id} returning version`;
  if (!row) throw new Error('a mandate that was held is gone');
  return row.version;
}

interface Change {
  mandate: CardMandate;
  version: number;
  eventId: number;
  now: Temporal.Instant;
  actor: Actor;
}

const tell = (
  tx: Queryable,
  { mandate, version, eventId, now, actor }: Change,
  what: 'card_updated' | 'card_closed' | 'card_expiring',
  data: Record<string, unknown>,
): Promise<void> =>
  appendEvents(tx, [
    {
      accountId: mandate.account_id,
      entity: mandate.kind,
      entityId: String(mandate.id),
      version,
      id: eventId,
      type: `card_adhesion.${what}`,
      at: now,
      actor,
      data: {
        state: mandate.state,
        ...(mandate.reference !== null && { external_reference: mandate.reference }),
        ...data,
      },
    },
  ]);

/** Formats a month as mandate responses show it: 04-2028. */
export const monthText = (expires: string): string => expires.split('-').toReversed().join('-');

const cardData = ({ brand_name: card, last_four, expires }: CardDetails) => ({
  ...(card !== undefined && { card }),
  ...(last_four !== undefined && { last_four_digits: last_four }),
  ...(expires !== undefined && { card_expires: monthText(expires) }),
});

/** Returns true if the card is still on file and not replaced. */
const isOnFile = (now: StoredCardRow | null, row: StoredCardRow): now is StoredCardRow =>
  now?.no === row.no && (now.state === 'kept' || now.state === 'closed');

/**
 * Applies a connector's answer about a card on file. Returns false if a newer inquiry has begun.
 */
async function apply(
  tx: Queryable,
  row: StoredCardRow,
  answer: CardAnswer,
  change: Omit<Change, 'mandate' | 'version'> & { look: number },
): Promise<boolean> {
  const key = mandateKeyOf(row);
  const mandate = await lockMandate(tx, key);
  if (mandate?.kind !== 'card_adhesion' || mandate.state !== 'signed') return true;
  const now = await readStoredCard(tx, row);
  if (!isOnFile(now, row)) return true;
  if (now.looks !== change.look) return false;
  const details = nextDetails(now, mandate.details, answer);
  if (isSame(now, mandate.details, details, answer)) return true;
  const version = await writeDetails(tx, key, details);
  const written = { ...change, mandate, version };
  if (answer.outcome === 'closed') {
    await setCard(tx, row, { state: 'closed' });
    await tell(tx, written, 'card_closed', { ...cardData(details), reason: answer.text });
    return true;
  }
  const { reference, bin, networkTransactionId } = answer;
  const isMonthNew = details.expires !== mandate.details.expires;
  await setCard(tx, row, {
    state: 'kept',
    reference,
    bin,
    networkTransactionId,
    ...(isMonthNew && { warnAt: warningOf(answer.expires) }),
  });
  await tell(tx, written, 'card_updated', cardData(details));
  return true;
}

export const lookAtCard =
  ({ sql, clocks, recordIds }: Base, connected: Channels): LookAtCard =>
  async ({ connector, cardId, actor }) => {
    const named = cardIn(cardId);
    const row = named && (await readStoredCard(sql, named));
    if (!row || row.connector !== connector || row.no !== named.no) return 'not_there';
    // The card is not stored yet. A repeated notice triggers a new inquiry.
    if (row.state === 'sent') return 'unknown';
    if (row.state !== 'kept' && row.state !== 'closed') return 'done';
    const keeper = connected.named(connector)?.keeper?.(row.channel);
    if (!keeper) return 'unknown';
    for (let looks = 0; looks < mostLooks; looks += 1) {
      const look = await beginLook(sql, row);
      const outcome = await keeper.find({ accountId: row.account_id, cardId });
      if (outcome.outcome === 'unknown') return 'unknown';
      if (outcome.outcome !== 'kept' && outcome.outcome !== 'closed') {
        // A card that was concurrently deleted is not odd.
        return isOnFile(await readStoredCard(sql, row), row) ? 'odd' : 'done';
      }
      const eventId = await recordIds.next();
      const change = { eventId, now: clocks.business.now(), actor, look };
      if (await sql.begin((tx) => apply(tx, row, outcome, change))) return 'done';
    }
    return 'unknown';
  };

/** Warns accounts of cards on file that expire within 30 days, once per expiry month. */
export function expirySweep({ sql, clocks, recordIds, log }: Base): Sweep {
  const warn = async (key: StoredCardKey): Promise<void> => {
    const eventId = await recordIds.next();
    await sql.begin(async (tx) => {
      const mandate = await lockMandate(tx, mandateKeyOf(key));
      const now = clocks.business.now();
      if (!(await noteWarned(tx, key, now))) return;
      if (mandate?.kind !== 'card_adhesion' || mandate.state !== 'signed') return;
      const version = await writeDetails(tx, mandateKeyOf(key), mandate.details);
      const written = { mandate, version, eventId, now, actor: system };
      await tell(tx, written, 'card_expiring', cardData(mandate.details));
    });
  };
  return {
    name: 'cards on file that expire',
    nextDue: () => nextToWarn(sql),
    async run(now) {
      const due = await readToWarn(sql, now);
      for (const key of due) {
        try {
          await warn(key);
        } catch (error) {
          log.error({ err: error, mandate: key.mandate_id }, 'an expiry could not be reported');
          await postponeWarning(sql, key, now.add({ hours: 1 }));
        }
      }
      return due.length;
    },
  };
}
