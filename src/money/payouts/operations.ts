import { type Centavos, decimalText } from '../../kernel/money.ts';
import type { Actor } from '../../platform/actor.ts';
import { accountId, flag, line, listOf, recordId, sum } from '../../platform/http/fields.ts';
import { optional, required } from '../../platform/http/form.ts';
import { listing } from '../../platform/listings.ts';
import { operation } from '../../platform/operations.ts';
import { refusals } from './codes.ts';
import type { Ordered } from './order.ts';
import type { ReturnPayout } from './payouts.ts';
import type { PayoutRow } from './reads.ts';
import { orderSeveral } from './several.ts';
import en from './texts.en.json' with { type: 'json' };
import es from './texts.es.json' with { type: 'json' };
import type { MakePayoutFile } from './transfers.ts';

const texts = { en, es };
const account = required(accountId());
const reference = required(line({ max: 64 }));
/** Maximum number of accounts in one order. */
const mostAccounts = 10_000;

/** Orders a payout in the signed-in user's name. */
type Order = (
  order: { accountId: string; amount: Centavos | null; reference: string },
  actor: Actor,
) => Promise<Ordered>;

/** Pays available money to the account's CBU. Above a limit, two people are needed. */
export const payoutCreating = operation({
  name: 'payout.create',
  act: 'payouts.propose',
  texts,
  takes: {
    account,
    amount: optional(sum()),
    all: optional(flag()),
    reference,
  },
  rules: ({ amount = null, all = null }) =>
    (amount === null) === (all !== true)
      ? { amount: refusals.fault('payout.amount_or_all', {}) }
      : {},
  run: (order: Order, { account: of, amount, reference: named }, actor) =>
    order({ accountId: of, amount, reference: named }, actor),
  repeat: 'reference',
  command: {
    operator: 'may',
    shows({ account: of, reference: named }, ordered) {
      const { outcome } = ordered;
      const { id, amount } = outcome === 'proposed' ? ordered.proposal : ordered.payout;
      const cbu = outcome === 'proposed' ? {} : { cbu: ordered.payout.cbu };
      return { id, outcome, account: of, reference: named, amount: decimalText(amount), ...cbu };
    },
  },
});

/** Pays everything available to the CBU of each account. A refusal affects only its own account. */
export const payoutProposing = operation({
  name: 'payout.propose',
  act: 'payouts.propose',
  texts,
  takes: { reference, accounts: required(listOf(accountId(), { max: mostAccounts })) },
  run: (order: Order, { reference: named, accounts }, actor) =>
    orderSeveral([...new Set(accounts)], (accountId) =>
      order({ accountId, amount: null, reference: named }, actor),
    ),
  repeat: 'reference',
});

/** Makes a file for the operator's bank with a reference's payouts that are in no file yet. */
export const payoutFileMaking = operation({
  name: 'payout_file.make',
  act: 'payouts.propose',
  texts,
  takes: { reference },
  run: (make: MakePayoutFile, { reference: named }, actor) => make({ reference: named, actor }),
  repeat: 'natural',
});

/** Makes a file for the operator's bank with all payouts that are in no file yet. */
export const payoutFileMakingAll = operation({
  name: 'payout_file.make-all',
  act: 'payouts.propose',
  texts,
  takes: {},
  run: (make: (order: { all: true; actor: Actor }) => Promise<unknown>, _, actor) =>
    make({ all: true, actor }),
  repeat: 'natural',
});

/** Records that a payout was returned or canceled, so that its money is available again. */
export const payoutReturning = operation({
  name: 'payout.return',
  act: 'payouts.propose',
  texts,
  takes: {
    id: required(recordId()),
    account,
    reason: required(line({ max: 255 })),
    answered: optional(flag()),
  },
  run: (giveBack: ReturnPayout, { id, account: of, reason, answered }, actor) =>
    giveBack({ accountId: of, id, reason, bankAnswered: answered === true, actor }),
  repeat: 'natural',
  command: {
    arguments: ['id'],
    flags: { answered: 'bank-answered' },
    shows: ({ id, account: of }) => ({ id, account: of }),
  },
});

/** Withdraws a payout that users of the account requested. */
export const payoutWithdrawing = operation({
  name: 'payout.withdraw',
  act: 'payouts.make',
  texts,
  takes: { account, id: required(recordId()) },
  run: (withdraw: (id: number) => Promise<unknown>, { id }) => withdraw(id),
  repeat: 'natural',
});

export const payoutList = listing({
  name: 'payout.list',
  act: 'payouts.see',
  account: 'required',
  texts,
  async read(sql, { account, ...part }) {
    const { listPayouts } = await import('./reads.ts');
    return await listPayouts(sql, account, part);
  },
  columns: {
    id: { kind: 'text', of: (row: PayoutRow) => row.id },
    reference: { kind: 'code', of: (row) => row.reference },
    state: { kind: 'choice', of: (row) => row.state },
    amount: { kind: 'money', of: (row) => row.amount },
    cbu: { kind: 'code', of: (row) => row.cbu },
    sent_at: { kind: 'moment', of: (row) => row.sent_at },
    returned_at: { kind: 'moment', of: (row) => row.returned_at },
    return_reason: { kind: 'text', of: (row) => row.return_reason },
  },
});
