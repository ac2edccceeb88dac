import { cardNumbersIn } from './card-number.ts';
import {
  type Charges,
  type Connector,
  type KnownCharge,
  NeverSent,
  type StoredCharge,
  Unfit,
} from './connector.ts';
import { digestOf, type Journal, type Notes } from './journal.ts';
import type { CancelOrder, ChargeOrder, Outcome } from './messages.ts';

/** The same id with different content: answered with 409. */
export class Changed extends Error {}
/** The outcome is unknown: answered with 502. */
export class Unknown extends Error {}

export interface About {
  attempt: string;
  account: ChargeOrder['account'];
  businessTime: string;
}

/**
 * Pause before the next inquiry about a charge that is being sent or that the acquirer does not
 * show yet.
 */
const askAgainSeconds = 60;

const beingSent: Outcome = { outcome: 'pending', ask_after_s: askAgainSeconds };

/** True for outcomes that end a charge without money. */
const isLast = (outcome: Outcome): boolean =>
  ['rejected', 'canceled', 'unheard'].includes(outcome.outcome);

const unheard = ({ alarm }: NeverSent): Outcome => ({
  outcome: 'unheard',
  ...(alarm && { alarm }),
});

/** Returns the outcome of a charge that certainly did not happen. Rethrows any other error. */
function outcomeOfError(error: unknown): Outcome {
  if (error instanceof NeverSent) return unheard(error);
  if (!(error instanceof Unfit)) throw error;
  return { outcome: 'rejected', code: 'unfit', text: error.message.slice(0, 255), retry: 'never' };
}

/** Returns the seconds on the business clock until an unknown charge counts as never received. */
export const secondsLeft = (begunAt: string, now: string, settles: number): number =>
  Math.ceil(settles - (Date.parse(now) - Date.parse(begunAt)) / 1000);

/**
 * Returns the outcome of a charge that the acquirer does not show: `pending` while the acquirer may
 * still settle it, then `unheard`.
 */
const outcomeUnknownFor = (left: number): Outcome =>
  left > 0
    ? { outcome: 'pending', ask_after_s: Math.min(left, askAgainSeconds) }
    : { outcome: 'unheard' };

const tooLate = (seconds: number): Outcome => ({
  outcome: 'unheard',
  alarm: `An order came ${seconds} s after its deadline: are the clocks of both machines right?`,
});

export interface ChargeCalls extends Charges {
  put: (order: ChargeOrder) => Promise<Outcome>;
  get: (about: About) => Promise<Outcome>;
  cancel: (order: CancelOrder) => Promise<Outcome>;
  /**
   * Returns a charge's stored outcome if it ended without money, else what the acquirer shows, or
   * null if it shows nothing. Returns `pending` while the charge is being sent.
   */
  shown: (about: About) => Promise<Outcome | null>;
  /** Stores the outcome of a charge after its hold ended. */
  ended: (attempt: string, outcome: Outcome) => Promise<void>;
  /** Stores a charge that the service created for a payment announced by this connector. */
  begun: (attempt: string, payment: BegunPayment) => Promise<void>;
}

/** A payment that a network started, as the service accepted it. */
export interface BegunPayment extends StoredCharge {
  trx: string;
  /** This machine's wall clock, because no order with a business time came. */
  begunAt: string;
}

/**
 * Digests what a repeated order must share with the first: everything except times, IP address and
 * user agent.
 */
export function meaningOf({
  business_time: _,
  deadline: __,
  payer,
  ...order
}: ChargeOrder): string {
  const { ip: _ip, user_agent: _agent, ...person } = payer;
  return digestOf({ ...order, payer: person });
}

function refuseUnfit(
  order: ChargeOrder,
  offered: ReadonlyMap<string, { captures?: boolean }>,
): void {
  if (!offered.has(order.channel)) {
    throw new Unfit(`This connector does not serve ${order.channel}.`);
  }
  const { instrument } = order;
  if (order.authorize_only && !offered.get(order.channel)?.captures) {
    throw new Unfit(`Charges of ${order.channel} cannot be authorized first.`);
  }
  const named =
    instrument.type === 'token'
      ? instrument.token
      : instrument.type === 'kept_card'
        ? instrument.reference
        : '';
  if (cardNumbersIn(named).length > 0) {
    throw new Unfit('The token looks like a card number, so it was not sent anywhere.');
  }
}

/** Charges, each sent once: its order is on disk before the acquirer is called. */
export function createCharges(
  connector: Connector,
  journal: Journal<StoredCharge, Outcome>,
  notes: Notes,
  now: () => number,
): ChargeCalls {
  const underWay = new Map<string, { digest: string; answer: Promise<Outcome> }>();
  const offered = new Map(connector.manifest.channels.map((one) => [one.channel, one]));

  const call = (attempt: string, channel: StoredCharge['channel'] | undefined) => ({
    signal: AbortSignal.timeout(1000 * ((channel && offered.get(channel)?.answers_within_s) || 60)),
    remember: (memo: unknown) => journal.remember(attempt, memo),
    name: (name: string) => notes.keep(name, attempt),
  });

  const keep = async (attempt: string, outcome: Outcome): Promise<Outcome> => {
    await journal.answer(attempt, outcome);
    return outcome;
  };

  async function shown(about: About, known: KnownCharge | null): Promise<Outcome | null> {
    if (known?.outcome && isLast(known.outcome)) return known.outcome;
    const { attempt } = about;
    const found = await connector.inquire({ ...about, known }, call(attempt, known?.kept.channel));
    // Already captured: an acquirer that still shows the hold lags.
    if (found?.outcome === 'authorized' && known?.outcome?.outcome === 'approved') {
      return known.outcome;
    }
    return found && known ? await keep(attempt, found) : found;
  }

  async function inquire(about: About, known: KnownCharge | null): Promise<Outcome> {
    const found = await shown(about, known);
    if (found) return found;
    if (!known) return { outcome: 'unheard' };
    // An acquirer that no longer shows a charge does not revoke its earlier answer.
    if (known.outcome) return known.outcome;
    const settles = offered.get(known.kept.channel)?.settles_within_s ?? 0;
    return outcomeUnknownFor(secondsLeft(known.begunAt, about.businessTime, settles));
  }

  async function sendOnce(order: ChargeOrder, digest: string): Promise<Outcome> {
    const { attempt, business_time: businessTime, account, channel, amount } = order;
    const kept = { channel, amount };
    const before = await journal.begin(attempt, { digest, begunAt: businessTime, kept });
    if (before && before.digest !== digest) {
      throw new Changed(`The charge ${attempt} was ordered before with another content.`);
    }
    if (before?.outcome) return before.outcome;
    if (before) return await inquire({ attempt, account, businessTime }, before);
    const late = Math.ceil((now() - Date.parse(order.deadline)) / 1000);
    if (late > 0) return await keep(attempt, tooLate(late));
    try {
      return await keep(attempt, await connector.charge(order, call(attempt, channel)));
    } catch (error) {
      return await keep(attempt, outcomeOfError(error));
    }
  }

  return {
    known: journal.read,
    remember: journal.remember,
    shown: async (about) =>
      underWay.has(about.attempt) ? beingSent : await shown(about, journal.read(about.attempt)),
    ended: (attempt, outcome) => journal.answer(attempt, outcome),
    begun: async (attempt, { trx, begunAt, ...kept }) => {
      await journal.begin(attempt, { digest: digestOf({ trx }), begunAt, kept });
      await journal.remember(attempt, { trx });
    },
    put: async (order) => {
      refuseUnfit(order, offered);
      const digest = meaningOf(order);
      const running = underWay.get(order.attempt);
      if (running && running.digest !== digest) {
        throw new Changed(`The charge ${order.attempt} is under way with another content.`);
      }
      if (running) return await running.answer;
      const answer = sendOnce(order, digest);
      underWay.set(order.attempt, { digest, answer });
      try {
        return await answer;
      } finally {
        underWay.delete(order.attempt);
      }
    },
    get: async (about) => {
      if (underWay.has(about.attempt)) return beingSent;
      return await inquire(about, journal.read(about.attempt));
    },
    cancel: async (order) => {
      const { attempt } = order;
      const known = journal.read(attempt);
      const channel = known && offered.get(known.kept.channel);
      if (!connector.cancel || (channel && !channel.cancel)) {
        throw new Unfit('Charges of this channel cannot be canceled.');
      }
      if (underWay.has(attempt)) throw new Unknown('The charge is being sent. Ask again later.');
      if (known?.outcome && isLast(known.outcome)) return known.outcome;
      const outcome = await connector.cancel(order, known, call(attempt, known?.kept.channel));
      return known ? await keep(attempt, outcome) : outcome;
    },
  };
}
