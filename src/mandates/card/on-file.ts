import type {
  CardChannel,
  CardKeeper,
  CardToKeep,
  Channels,
  KeepOutcome,
  OnFileReason,
  PayerForm,
} from '../../money/channels/index.ts';
import { payer } from '../../platform/actor.ts';
import type { Base } from '../../platform/base.ts';
import type { Sweep } from '../../platform/sweeps.ts';
import type { MandateKey, MandateRow } from '../mandate.ts';
import { signMandate } from '../move.ts';
import { mandateTransitions } from '../states.ts';
import { lockMandate } from '../store.ts';
import { detailsOf, mandateKeyOf as keyOf, warningOf } from './on-file-changes.ts';
import {
  askAgain,
  cardIdOf,
  moveCard,
  nextInquiry,
  readDueInquiries,
  readStoredCard,
  type StoredCardRow,
  type StoredSigning,
  sendCard,
} from './on-file-store.ts';

/** The form in which a holder enters a card. */
export interface CardWay {
  connector: string;
  channel: CardChannel;
  frame: Extract<PayerForm, { kind: 'frame' }>;
}

export interface HandOver {
  key: MandateKey;
  connector: string;
  token: CardToKeep['token'];
  payer: CardToKeep['payer'];
  signing: StoredSigning;
}

/** `closed`: the mandate no longer waits for a signature. */
export type HandedOver = 'signed' | 'refused' | 'pending' | 'closed';

/** Cards on file, whose numbers a connector stores instead of us. */
export interface StoredCards {
  /** Returns the connector that stores new cards, or null. */
  way(): CardWay | null;
  /** Returns the state of a mandate's card, or null if none was entered. */
  standing(key: MandateKey): Promise<StoredCardRow['state'] | null>;
  /** Sends a card to its connector. Success signs the mandate. */
  handOver(card: HandOver): Promise<HandedOver>;
  sweep: Sweep;
}

export interface StoredCardParts {
  connected: Channels;
  /** Returns true if a debit of the mandate is undecided. The card is kept until none is. */
  hasUndecided(key: MandateKey): Promise<boolean>;
}

interface Begun {
  row: StoredCardRow;
  isNew: boolean;
  reason: OnFileReason;
}

const leastAskAfterS = 120;
const channels = ['credit_card', 'debit_card'] as const;

/** Records the connector's answer to a submitted card. */
function settlingOf({ sql, clocks, recordIds }: Base) {
  /** Signs the mandate with the stored card, or has the card deleted. */
  const sign = async (
    row: StoredCardRow,
    storedCard: Extract<KeepOutcome, { outcome: 'kept' }>,
  ) => {
    const [eventId, mailId] = [await recordIds.next(), await recordIds.next()];
    const { reference, bin, networkTransactionId } = storedCard;
    const forgetting = { state: 'forgetting', reference, bin, networkTransactionId } as const;
    return await sql.begin(async (tx): Promise<HandedOver> => {
      const mandate = await lockMandate(tx, keyOf(row));
      const now = await readStoredCard(tx, row);
      if (now?.state === 'refused' && now.no === row.no) {
        // The connector stored the card after we gave up.
        const askAt = clocks.business.now();
        await moveCard(tx, row, { ...forgetting, askAt, warnAt: null });
      }
      if (!mandate || now?.state !== 'sent' || now.no !== row.no || !now.signing) return 'closed';
      const { evidence, copy } = now.signing;
      const mail = copy
        ? { accountId: row.account_id, id: mailId, counts: false, ...copy }
        : undefined;
      const details = { ...mandate.details, ...detailsOf(storedCard) };
      const moments = { now: clocks.business.now(), wallNow: clocks.wall.now() };
      const signing = { key: keyOf(row), actor: payer, evidence, mail, details };
      const signed = await signMandate(tx, signing, eventId, moments);
      if (signed) {
        const warnAt = warningOf(storedCard.expires);
        await moveCard(tx, row, { ...forgetting, state: 'kept', askAt: null, warnAt });
      } else await moveCard(tx, row, { ...forgetting, askAt: moments.now, warnAt: null });
      return signed ? 'signed' : 'closed';
    });
  };

  const refuse = (row: StoredCardRow): Promise<HandedOver> =>
    sql.begin(async (tx): Promise<HandedOver> => {
      await lockMandate(tx, keyOf(row));
      const now = await readStoredCard(tx, row);
      if (now?.state === 'sent' && now.no === row.no) await moveCard(tx, row, { state: 'refused' });
      return 'refused';
    });

  return async (row: StoredCardRow, outcome: KeepOutcome): Promise<HandedOver> => {
    if (outcome.outcome === 'kept') return await sign(row, outcome);
    if (outcome.outcome === 'unknown') return 'pending';
    return await refuse(row);
  };
}

/**
 * Finds connectors: `way` for new cards, `keeperOf` for a stored one. Both return null if there is
 * none.
 */
const keepersOf = (connected: Channels) => ({
  way(): CardWay | null {
    for (const channel of channels) {
      const taker = connected.choose(channel, { keeps: true });
      const frame = taker?.form(channel);
      if (taker && frame?.kind === 'frame') return { connector: taker.name, channel, frame };
    }
    return null;
  },
  keeperOf: ({ connector, channel }: StoredCardRow): CardKeeper | null =>
    connected.named(connector)?.keeper?.(channel) ?? null,
});

const isOpenAt = (now: Temporal.Instant, { state, sign_before: before }: MandateRow): boolean =>
  mandateTransitions.sign.from.some((from) => from === state) &&
  Temporal.Instant.compare(before, now) > 0;

export function createStoredCards(
  base: Base,
  { connected, hasUndecided }: StoredCardParts,
): StoredCards {
  const { sql, clocks, log } = base;
  const settle = settlingOf(base);
  const { way, keeperOf } = keepersOf(connected);

  /**
   * Records the card before it is sent. If another call is already sending one, returns that card.
   * Returns null if the mandate accepts no card now.
   */
  const begin = ({ key, connector, signing }: HandOver, channel: CardChannel) =>
    sql.begin(async (tx): Promise<Begun | null> => {
      const mandate = await lockMandate(tx, key);
      if (mandate?.kind !== 'card_adhesion' || !mandate.keeps_card) return null;
      const now = clocks.business.now();
      if (!isOpenAt(now, mandate)) return null;
      const own = { account_id: key.accountId, mandate_id: key.id };
      const before = await readStoredCard(tx, own);
      const { debit_reason: reason = 'recurring' } = mandate.details;
      if (before?.state === 'sent') return { row: before, isNew: false, reason };
      if (before && before.state !== 'refused') return null;
      const { answersWithinS = 0 } = connected.named(connector) ?? {};
      const seconds = Math.ceil(Math.max(leastAskAfterS, answersWithinS + 5));
      const askAt = now.add({ seconds });
      const row = await sendCard(tx, { ...own, connector, channel, signing }, askAt);
      return { row, isNew: true, reason };
    });

  const ask = async (row: StoredCardRow): Promise<HandedOver> => {
    const keeper = keeperOf(row);
    if (!keeper) return 'pending';
    const card = { accountId: row.account_id, cardId: cardIdOf(row) };
    return await settle(row, await keeper.find(card));
  };

  const forget = async (row: StoredCardRow): Promise<boolean> => {
    const keeper = keeperOf(row);
    if (!keeper || row.reference === null || (await hasUndecided(keyOf(row)))) return false;
    const { account_id: accountId, reference } = row;
    if (!(await keeper.forget({ accountId, cardId: cardIdOf(row), reference }))) return false;
    await moveCard(sql, row, { state: 'forgotten' });
    return true;
  };

  return {
    way,
    async standing({ accountId, id }) {
      return (await readStoredCard(sql, { account_id: accountId, mandate_id: id }))?.state ?? null;
    },
    async handOver(card) {
      const here = way();
      if (here?.connector !== card.connector) return 'refused';
      const begun = await begin(card, here.channel);
      if (!begun) return 'closed';
      const { row, isNew, reason } = begun;
      // Stays pending until an answer arrives, because the concurrent call may not have reached the
      // connector yet.
      if (!isNew) return 'pending';
      const keeper = keeperOf(row);
      if (!keeper) return 'pending';
      const { key, token } = card;
      const sent = {
        accountId: key.accountId,
        cardId: cardIdOf(row),
        channel: here.channel,
        token,
        payer: card.payer,
        reason,
      };
      return await settle(row, await keeper.keep(sent));
    },
    sweep: {
      name: 'cards on file settled',
      nextDue: () => nextInquiry(sql),
      async run(now) {
        let settled = 0;
        for (const row of await readDueInquiries(sql, now)) {
          // Reschedule first, so that a card that keeps failing does not block the others.
          await askAgain(
            sql,
            row,
            clocks.business.now().add({ minutes: row.state === 'sent' ? 5 : 60 }),
          );
          try {
            const done = row.state === 'sent' ? (await ask(row)) !== 'pending' : await forget(row);
            if (done) settled += 1;
          } catch (error) {
            log.error({ err: error, connector: row.connector }, 'a connector failed to answer');
          }
        }
        return settled;
      },
    },
  };
}
