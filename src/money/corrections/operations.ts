import { decimalText } from '../../kernel/money.ts';
import type { Actor } from '../../platform/actor.ts';
import { accountId, line, sum } from '../../platform/http/fields.ts';
import { required } from '../../platform/http/form.ts';
import { listing } from '../../platform/listings.ts';
import { operation } from '../../platform/operations.ts';
import type { Correction, CorrectionRow, OrderedCorrection } from './corrections.ts';
import en from './texts.en.json' with { type: 'json' };
import es from './texts.es.json' with { type: 'json' };

const texts = { en, es };

/** Orders a correction in the signed-in user's name. */
type Correct = (correction: Correction) => Promise<OrderedCorrection>;

/** Corrects an available balance manually. */
export const balanceCorrecting = operation({
  name: 'ledger.correct',
  repeat: 'reference',
  act: 'corrections.propose',
  texts,
  takes: {
    account: required(accountId()),
    amount: required(sum({ signed: true })),
    reference: required(line({ max: 64 })),
    note: required(line({ max: 255 })),
  },
  run: (correct: Correct, { account, ...correction }, actor: Actor) =>
    correct({ ...correction, accountId: account, actor }),
  command: {
    operator: 'may',
    shows: ({ account, amount, reference }, { outcome }) => ({
      reference,
      outcome,
      account,
      amount: decimalText(amount),
    }),
  },
});

export const correctionList = listing({
  name: 'ledger.corrections',
  act: 'corrections.see',
  account: 'required',
  texts,
  async read(sql, { account, ...page }) {
    const { listCorrections } = await import('./corrections.ts');
    return await listCorrections(sql, account, page);
  },
  columns: {
    id: { kind: 'text', of: (row: CorrectionRow) => row.id },
    reference: { kind: 'code', of: (row) => row.reference },
    amount: { kind: 'money', of: (row) => row.amount },
    note: { kind: 'text', of: (row) => row.note },
    posted_at: { kind: 'moment', of: (row) => row.posted_at },
  },
});
