import { cardBrandNames } from '../../kernel/card-number.ts';
import type { Base } from '../../platform/base.ts';
import { accountId, oneOf } from '../../platform/http/fields.ts';
import { type Field, fail, required } from '../../platform/http/form.ts';
import { listing, plainCells } from '../../platform/listings.ts';
import { operation } from '../../platform/operations.ts';
import type { Sql } from '../../platform/postgres/connect.ts';
import { refusals } from './codes.ts';
import type { AccountPlans } from './reads.ts';
import en from './texts.en.json' with { type: 'json' };
import es from './texts.es.json' with { type: 'json' };

const texts = { en, es };
const account = required(accountId());

export const planList = listing({
  name: 'plan.list',
  act: 'accounts.see',
  whole: true,
  texts,
  takes: { account },
  command: { arguments: ['account'] },
  read: async (sql: Sql, part: { account: string }) =>
    (await import('./reads.ts')).readAccountPlans(sql, part.account),
  columns: {
    brand: { kind: 'choice', of: (row: AccountPlans) => row.brand },
    installments: {
      kind: 'text',
      of: ({ installments }) => (installments.length === 0 ? 'none' : installments.join(',')),
    },
    chosen: {
      kind: 'text',
      of: ({ chosen }) => (chosen ? 'for this account' : 'all plans'),
    },
  },
});

/** Comma-separated installment counts, `all` or `none`. */
const installments: Field<number[] | 'all'> = {
  schema: { type: 'string' },
  expectation: refusals.fault('plan.not_counts', {}),
  parse(value) {
    const text = String(value);
    if (text === 'all') return { ok: true, value: 'all' };
    if (text === 'none') return { ok: true, value: [] };
    const counts = text.split(',').map((one) => (/^[0-9]{1,2}$/.test(one) ? Number(one) : 0));
    return counts.every((count) => count > 0)
      ? { ok: true, value: counts }
      : fail(installments.expectation);
  },
};

export const planSetting = operation({
  name: 'plan.set',
  act: 'accounts.manage',
  texts,
  takes: { account, brand: required(oneOf(cardBrandNames)), installments: required(installments) },
  async run(base: Base, { account: of, brand, installments: counts }, actor) {
    const { setAccountPlans } = await import('./account-plans.ts');
    const chosen = counts === 'all' ? null : counts;
    return await setAccountPlans({ ...base, actor })({
      accountId: of,
      brand,
      installments: chosen,
    });
  },
  repeat: 'natural',
  command: {
    arguments: ['account', 'brand', 'installments'],
    lists: (rows) => rows.map((row) => plainCells(planList.columns, row)),
  },
});
