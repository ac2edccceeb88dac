import { type ParsedCardNumber, parseCardNumber } from '../kernel/card-number.ts';
import { isCbu } from '../kernel/cbu.ts';
import type { Centavos } from '../kernel/money.ts';
import {
  type CardKindOf,
  type ChannelCode,
  cardBrands,
  channels,
  type Instrument,
} from '../money/channels/index.ts';
import type { BrandPlans } from '../money/plans/index.ts';
import type { PaymentRequestRow, PaymentRequests } from '../payment-requests/index.ts';
import type { Actor } from '../platform/actor.ts';
import type { Base } from '../platform/base.ts';
import { amountDue, requestRefusal } from '../requests/index.ts';
import { fault, refusal } from './codes.ts';
import type { SimulatedKind } from './kinds.ts';
import { paymentFault, type SimulatedPayment } from './payment.ts';
import { tokenise } from './simulator/test-cards.ts';

/** An account that the simulator approves (docs/reference/sandbox.md). */
const defaultCbu = '0070999000000123456784';
const defaultCards = { credit_card: '4507990000004905', debit_card: '4517721004856075' } as const;

/** Money that arrived at an account of a single request. */
export interface ArrivedTransfer {
  cvu: string;
  amount: Centavos;
  paidAt: Temporal.Instant;
  source: string;
  sourceRef: string;
  actor: Actor;
}

export interface PayParts {
  requests: PaymentRequests;
  plansFor(accountId: string, amount: Centavos): Promise<BrandPlans[]>;
  loadCardKinds(): Promise<CardKindOf>;
  /** Returns the request's own account, or null if it has none. */
  cvuOf(row: PaymentRequestRow): Promise<string | null>;
  receiveTransfer(transfer: ArrivedTransfer): Promise<void>;
}

/** Requires the channel of the card's kind, so that channel exclusions cannot be bypassed. */
function checkKind(
  channel: ChannelCode,
  card: Extract<ParsedCardNumber, { ok: true }>,
  kindOf: CardKindOf,
): void {
  const kind = kindOf(card);
  if (kind === null || channel === `${kind}_card`) return;
  const brand = cardBrands[card.brand].label;
  throw refusal('sandbox.other_kind_of_card', { brand, kind });
}

/**
 * Simulates a payer. Transfers arrive at the request's own account, other offline channels report
 * money, and online channels charge through the simulator.
 */
export function simulatedPaymentRequests(
  { clocks }: Base,
  { requests, plansFor, loadCardKinds, cvuOf, receiveTransfer }: PayParts,
): SimulatedKind {
  const cardOf = async (
    row: PaymentRequestRow,
    channel: 'credit_card' | 'debit_card',
    payment: SimulatedPayment,
    due: Centavos,
  ): Promise<Instrument> => {
    const parsed = parseCardNumber(payment.card_number ?? defaultCards[channel]);
    if (!parsed.ok) throw paymentFault('card_number', fault('sandbox.card_unknown', {}));
    const count = channel === 'credit_card' ? (payment.installments ?? 1) : 1;
    const brand = (await plansFor(row.account_id, due)).find((one) => one.brand === parsed.brand);
    const plan =
      channel === 'debit_card'
        ? { installments: 1, total: due, each: due }
        : brand?.plans.find((one) => one.installments === count);
    if (!plan) {
      const parameters = { brand: cardBrands[parsed.brand].label, installments: count };
      throw paymentFault('installments', fault('sandbox.plan_unknown', parameters));
    }
    checkKind(channel, parsed, await loadCardKinds());
    const { token, brand: tokenised, bin, lastFour } = tokenise(parsed);
    return {
      type: 'token',
      card: {
        token,
        brand: tokenised,
        bin,
        lastFour,
        holderName: row.payer,
        holderEmail: row.details.payer_email ?? null,
        plan,
      },
    };
  };

  const instrumentOf = async (
    row: PaymentRequestRow,
    channel: ChannelCode,
    payment: SimulatedPayment,
    due: Centavos,
  ): Promise<Instrument> => {
    if (channel === 'credit_card' || channel === 'debit_card') {
      return await cardOf(row, channel, payment, due);
    }
    if (channel === 'qr') return { type: 'wallet' };
    const account = payment.cbu_number ?? defaultCbu;
    if (!isCbu(account)) {
      throw paymentFault('cbu_number', fault('sandbox.cbu_invalid', {}));
    }
    return { type: 'bank_account', account: { account, holderIdNumber: '20055361682' } };
  };

  const pay: SimulatedKind['pay'] = async (ctx, { id }, payment, reference) => {
    const key = { accountId: ctx.accountId, id };
    const found = await requests.find(key);
    if (!found) throw requestRefusal('request.not_found', {});
    const channel = payment.channel ?? 'non_banking';
    const due = amountDue(found.row, clocks.business.today());
    if (!channels[channel].online) {
      const money = {
        amount: payment.amount ?? due,
        paidAt: clocks.business.now(),
        source: 'simulator',
        sourceRef: reference,
        actor: ctx.actor,
      };
      if (channel === 'wire_transfer') {
        const cvu = await cvuOf(found.row);
        if (cvu === null) throw refusal('sandbox.no_transfer_account', {});
        await receiveTransfer({ ...money, cvu });
      } else await requests.pay.offline(key, { ...money, channel });
      return;
    }
    if (payment.amount !== null && payment.amount !== due) {
      throw paymentFault('amount', fault('sandbox.amount_not_due', {}));
    }
    const instrument = await instrumentOf(found.row, channel, payment, due);
    await requests.pay.online(key, { channel, instrument, actor: ctx.actor, reference });
  };
  return {
    permission: 'payment_requests:read',
    pay,
    show: (ctx, { id }) => requests.show(ctx, id),
  };
}
