import { type Call, type Connector, NeverSent, Unfit } from '../protocol/connector.ts';
import type {
  CardOutcome,
  ChargeList,
  HoldOrder,
  Manifest,
  Outcome,
  TestPaid,
} from '../protocol/messages.ts';
import type { Build } from '../protocol/serve.ts';
import { cardPage } from './cards.ts';
import { type Dispute, disputePage } from './disputes.ts';
import { dayOf, linesOf, type Payout } from './settlements.ts';
import { trxOf, walletPage } from './wallets.ts';

// This file holds everything specific to you: your acquirer's name, its API and its vocabulary.
// Journal, signatures, bounds and notices come from `connectors/protocol`.

/** A sale of this imaginary acquirer; yours has other names for the same things. */
interface Sale {
  id: string;
  reference: string;
  state: 'paid' | 'held' | 'refused' | 'in_review' | 'voided';
  /** Expiry of the issuer's hold; missing if it was captured at once. */
  held_until?: string;
  reason: string | null;
  amount: number;
  refunds: { id: string; key: string; amount: number }[];
  at: string;
  /** The code that a wallet scanned; null for other sales. */
  code: string | null;
  /** Authentication result; missing if there was none. */
  secure?: { status: 'Y' | 'A'; shift: boolean; version: string };
  /** Missing if nobody disputes it. */
  dispute?: Dispute;
  /** The network's id; missing if no card was charged. */
  network_id?: string;
}

export interface TemplateConfig {
  acquirerUrl: string;
  acquirerKey: string;
  /** Test set-ups only: offers the acquirer's test tokens to the kit. */
  isTest: boolean;
}

/** A card on file in this acquirer's format. */
interface Card {
  id: string;
  reference: string;
  state: 'kept' | 'refused' | 'closed';
  reason: string | null;
  last_four: string;
  /** Month and year, as on the card. */
  expires: string;
  /** The network's id for the payment that recorded the holder's consent. */
  network_id: string;
  /** Increases with each change. */
  version: number;
}

/** Advice by refusal reason, in the protocol's terms, so that payers read their options. */
const retries: Readonly<Record<string, Extract<Outcome, { outcome: 'rejected' }>['retry']>> = {
  no_funds: 'same_later',
  stolen: 'never',
  mistyped: 'same_now',
  call_issuer: 'call_issuer',
};

/** Returns the outcome of a paid or authorized sale. */
function answerOf({ id: reference, amount, network_id, secure }: Sale) {
  return {
    reference,
    amount,
    ...(network_id !== undefined && { network_transaction_id: network_id }),
    ...(secure && {
      three_ds: {
        result: secure.status === 'Y' ? 'authenticated' : 'attempted',
        liability: secure.shift ? 'issuer' : 'merchant',
        version: secure.version,
      } as const,
    }),
  };
}

function outcomeOf(sale: Sale): Outcome {
  if (sale.state === 'paid') return { outcome: 'approved', ...answerOf(sale) };
  if (sale.state === 'held' && sale.held_until !== undefined) {
    return { outcome: 'authorized', expires_at: sale.held_until, ...answerOf(sale) };
  }
  if (sale.state === 'voided') return { outcome: 'canceled', reference: sale.id };
  if (sale.state === 'in_review') return { outcome: 'pending', ask_after_s: 60 };
  const code = sale.reason ?? 'refused';
  const retry = retries[code] ?? 'other_instrument';
  return { outcome: 'rejected', code, text: `The acquirer says ${code}.`, retry };
}

function keptOf(card: Card): CardOutcome {
  if (card.state === 'kept') {
    const { id: reference, last_four, network_id: network_transaction_id } = card;
    const [month, year] = card.expires.split('/');
    const expires = `20${year}-${month}`;
    const kept = { reference, brand: 'visa', kind: 'credit', last_four, expires } as const;
    return { outcome: 'kept', ...kept, network_transaction_id };
  }
  const code = card.reason ?? 'refused';
  if (card.state === 'closed') {
    return { outcome: 'closed', code, text: `The acquirer says ${code}.` };
  }
  const retry = retries[code] ?? 'other_instrument';
  return { outcome: 'rejected', code, text: `The acquirer says ${code}.`, retry };
}

const testToken = (token: string): { channel: 'credit_card'; instrument: object } => ({
  channel: 'credit_card',
  instrument: { type: 'token', token },
});

const testSection: Manifest['test'] = {
  approved: testToken('tok_paid'),
  rejected_never: testToken('tok_stolen'),
  rejected_other_instrument: testToken('tok_refused'),
  rejected_same_later: testToken('tok_no_funds'),
  rejected_same_now: testToken('tok_mistyped'),
  rejected_call_issuer: testToken('tok_call_issuer'),
  pending: testToken('tok_review'),
  lost: testToken('tok_lost'),
  disputed: testToken('tok_disputed'),
  authenticated: testToken('tok_secure'),
  card_updated: testToken('tok_updated'),
  card_closed: testToken('tok_closed'),
  settled: testToken('tok_settled'),
  capture_refused: testToken('tok_capture_refused'),
  capture_lost: testToken('tok_capture_lost'),
  void_lost: testToken('tok_void_lost'),
};

const manifestOf = ({ acquirerUrl, isTest }: TemplateConfig): Manifest => ({
  protocol: 1,
  name: 'template',
  version: '1.0.0',
  channels: [
    {
      channel: 'credit_card',
      // The acquirer serves the fields itself, so no card number passes through your systems.
      browser: { kind: 'frame', url: `${acquirerUrl}/fields`, origin: new URL(acquirerUrl).origin },
      refunds: ['whole', 'part'],
      cancel: true,
      keeps_cards: true,
      three_ds: true,
      captures: true,
      answers_within_s: 40,
      settles_within_s: 600,
    },
    {
      channel: 'qr',
      refunds: ['whole', 'part'],
      cancel: false,
      answers_within_s: 40,
      settles_within_s: 600,
    },
  ],
  notices: [
    'charge.changed',
    'dispute.changed',
    'card.changed',
    'qr.intention',
    'qr.confirmed',
    'qr.reversed',
  ],
  settlements: { within_days: 30 },
  ...(isTest && { test: testSection }),
});

/** Calls the acquirer. Returns null on a 404, and throws on any other status than 200. */
async function callTo<T>(
  { acquirerUrl, acquirerKey }: TemplateConfig,
  path: string,
  { signal }: Pick<Call, 'signal'>,
  body?: object,
): Promise<T | null> {
  const answer = await fetch(`${acquirerUrl}${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${acquirerKey}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
    signal,
  });
  if (answer.status === 404) return null;
  if (answer.status === 401) {
    throw new NeverSent('The acquirer refuses the key.', { alarm: 'Is the key right?' });
  }
  if (answer.status !== 200) throw new Error(`The acquirer answered ${answer.status}.`);
  return await answer.json();
}

type SaleOf = (reference: string, call: Pick<Call, 'signal'>) => Promise<Sale | null>;

const refundsOf = (
  config: TemplateConfig,
  saleOf: SaleOf,
): Pick<Connector, 'refund' | 'refundState'> => ({
  refund: async ({ attempt, refund, reference, amount }, _before, call) => {
    // This acquirer takes our id with a refund. If yours does not, compare its list with
    // `before`, as `connectors/payway/refund.ts` does.
    const order = { key: `${attempt}/${refund}`, amount };
    const made = await callTo<{ id?: string }>(config, `/sales/${reference}/refunds`, call, order);
    if (made?.id) return { outcome: 'done', reference: made.id };
    return { outcome: 'failed', code: 'refused', text: 'The acquirer refuses the refund.' };
  },
  refundState: async ({ attempt, refund, known }, _before, call) => {
    // Wallet payments have the network's id, not ours.
    const sale = await saleOf(known?.kept.reference ?? attempt, call);
    const made = sale?.refunds.find(({ key }) => key === `${attempt}/${refund}`);
    return made ? { outcome: 'done', reference: made.id } : null;
  },
});

const cardsOf = (config: TemplateConfig, origin: string): NonNullable<Connector['cards']> => ({
  keep: async ({ card, token, on_file }, call) => {
    const notify = `${origin}/acquirer/cards`;
    const order = { reference: card, token, on_file, notify };
    const kept = await callTo<Card>(config, '/cards', call, order);
    if (!kept) throw new Error('The acquirer answered 404 to a card.');
    return keptOf(kept);
  },
  find: async ({ card }, call) => {
    const kept = await callTo<Card>(config, `/cards/by-reference/${card}`, call);
    return kept && keptOf(kept);
  },
  forget: async ({ reference }, call) => {
    await callTo(config, `/cards/${reference}/forget`, call, {});
  },
});

const listsOf = (config: TemplateConfig): Pick<Connector, 'list' | 'listSettlements'> => ({
  list: async ({ from, until, after }, call) => {
    const query = new URLSearchParams({ from, until, ...(after && { after }) });
    const page = await callTo<{ sales: Sale[]; next?: string }>(config, `/sales?${query}`, call);
    const charges = (page?.sales ?? []).map((sale): ChargeList['charges'][number] => ({
      ...(sale.code === null
        ? { attempt: sale.reference }
        : { payment: { trx: sale.reference, code: sale.code, paid_at: sale.at } }),
      outcome: sale.state === 'refused' ? 'rejected' : stateWords[sale.state],
      reference: sale.id,
      amount: sale.amount,
      refunded: sale.refunds.reduce((sum, { amount }) => sum + amount, 0),
    }));
    return { charges, ...(page?.next && { next: page.next }) };
  },
  // Delete this, and `settlements` in the manifest, if your acquirer lists no settlements.
  listSettlements: async ({ from, until, after }, call) => {
    const days = { from: dayOf(from), before: dayOf(until) };
    const query = new URLSearchParams({ ...days, ...(after && { after }) });
    const page = await callTo<{ payouts: Payout[]; next?: string }>(
      config,
      `/payouts?${query}`,
      call,
    );
    const settlements = linesOf(page?.payouts ?? []);
    return { settlements, ...(page?.next && { next: page.next }) };
  },
});

/** The connector: each function calls the acquirer and translates its answer to the protocol. */
export const template =
  (config: TemplateConfig): Build =>
  ({ origin, tell, intend }): Connector => {
    const saleOf = (reference: string, call: Pick<Call, 'signal'>) =>
      callTo<Sale>(config, `/sales/by-reference/${encodeURIComponent(reference)}`, call);
    const wallets = {
      key: config.acquirerKey,
      intend,
      tell,
      find: async (trx: string) => {
        const sale = await saleOf(trx, { signal: AbortSignal.timeout(10_000) });
        if (!sale || sale.code === null || sale.state === 'refused') return null;
        return { ...sale, code: sale.code, isReversed: sale.state === 'voided' };
      },
    };
    const disputes = {
      tell,
      find: async (reference: string) => {
        const sale = await saleOf(reference, { signal: AbortSignal.timeout(10_000) });
        return sale?.dispute ?? null;
      },
    };
    const cards = {
      tell,
      find: (reference: string) =>
        callTo<Card>(config, `/cards/by-reference/${encodeURIComponent(reference)}`, {
          signal: AbortSignal.timeout(10_000),
        }),
    };
    const endHold = async (end: 'capture' | 'void', { attempt }: HoldOrder, call: Call) => {
      const sale = await callTo<Sale>(config, `/sales/by-reference/${attempt}/${end}`, call, {});
      if (!sale) throw new Error(`The acquirer answered 404 to a ${end}.`);
      return outcomeOf(sale);
    };
    return {
      manifest: manifestOf(config),
      charge: async (charge, call) => {
        const { attempt, amount, channel, instrument, request, on_file, authorize_only } = charge;
        if (channel === 'qr')
          throw new Unfit('The wallet makes the payment, so it cannot be charged.');
        const order = { reference: attempt, amount, instrument, description: request.description };
        const notify = `${origin}/acquirer`;
        const told = { ...order, on_file, notify, capture: authorize_only !== true };
        const sale = await callTo<Sale>(config, '/sales', call, told);
        if (!sale) throw new Error('The acquirer answered 404 to a sale.');
        return outcomeOf(sale);
      },
      inquire: async ({ attempt, known }, call) => {
        const sale = await saleOf(trxOf(known?.memo) ?? attempt, call);
        return sale && outcomeOf(sale);
      },
      cancel: async ({ attempt }, _known, call) => {
        const sale = await callTo<Sale>(config, `/sales/by-reference/${attempt}/void`, call, {});
        return sale ? outcomeOf(sale) : { outcome: 'unheard' };
      },
      // Delete this, and `captures` in the manifest, if your acquirer captures at once. This
      // acquirer answers a second capture or void with the current sale; if yours refuses it, query
      // the sale before you answer.
      holds: {
        capture: (order, _known, call) => endHold('capture', order, call),
        void: (order, _known, call) => endHold('void', order, call),
      },
      ...refundsOf(config, saleOf),
      // Delete this, and `keeps_cards` in the manifest, if your acquirer stores no cards.
      cards: cardsOf(config, origin),
      ...listsOf(config),
      // The acquirer's notice is only a hint: the service inquires, and this connector queries the
      // acquirer.
      page: async (request, charges) => {
        const { method, path, query } = request;
        const told =
          (await walletPage(wallets, request)) ??
          (await disputePage(disputes, request)) ??
          (await cardPage(cards, request));
        if (told) return told;
        if (method !== 'POST' || path !== '/acquirer') return null;
        const attempt = query.get('reference') ?? '';
        if (charges.known(attempt)) await tell({ type: 'charge.changed', attempt });
        return { status: 200, headers: {}, body: '' };
      },
      ...(config.isTest && {
        testPayment: async (order, call) => {
          const notify = `${origin}/acquirer/wallets`;
          const paid = await callTo<TestPaid>(config, '/wallets', call, { ...order, notify });
          if (!paid) throw new Error('The acquirer supports no wallets.');
          return paid;
        },
      }),
    };
  };

const stateWords = {
  paid: 'approved',
  held: 'authorized',
  in_review: 'pending',
  voided: 'canceled',
} as const;
