import type { CardBrand } from '../../kernel/card-number.ts';
import type { Base } from '../../platform/base.ts';
import { accountId, oneOf } from '../../platform/http/fields.ts';
import { type Field, fail, required } from '../../platform/http/form.ts';
import { listing, plainCells } from '../../platform/listings.ts';
import { operation } from '../../platform/operations.ts';
import type { Sql } from '../../platform/postgres/connect.ts';
import { cardBrands } from '../channels/index.ts';
import { type AccountPlans, readAccountPlans, setAccountPlans } from './account-plans.ts';
import { refusals } from './codes.ts';
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
  read: (sql: Sql, part: { account: string }) => readAccountPlans(sql, part.account),
  columns: {
    brand: { kind: 'choice', of: (row: AccountPlans) => row.brand },
    installments: {
      kind: 'text',
      of: ({ installments }) => (installments.length === 0 ? 'none' : installments.join(',')),
    },
    chosen: {
      kind: 'text',
      of: ({ chosen }) => (chosen ? 'for this account' : 'all that there are'),
    },
  },
});

/** Comma-separated installment counts, `all` or `none`. */
const installments: Field<number[] | 'all'> = {
  schema: { type: 'string' },
  wanted: refusals.fault('plan.not_counts', {}),
  parse(value) {
    const text = String(value);
    if (text === 'all') return { ok: true, value: 'all' };
    if (text === 'none') return { ok: true, value: [] };
    const counts = text.split(',').map((one) => (/^[0-9]{1,2}$/.test(one) ? Number(one) : 0));
    return counts.every((count) => count > 0)
      ? { ok: true, value: counts }
      : fail(installments.wanted);
  },
};

const brands = Object.keys(cardBrands) as CardBrand[];

export const planSetting = operation({
  name: 'plan.set',
  act: 'accounts.manage',
  texts,
  takes: { account, brand: required(oneOf(brands)), installments: required(installments) },
  run: (base: Base, { account: of, brand, installments: counts }, actor) =>
    setAccountPlans({ ...base, actor })({
      accountId: of,
      brand,
      installments: counts === 'all' ? null : counts,
    }),
  repeat: 'natural',
  command: {
    arguments: ['account', 'brand', 'installments'],
    lists: (rows) => rows.map((row) => plainCells(planList.columns, row)),
  },
});
