import { type Account, issuerOf } from '../accounts/index.ts';
import { compareDays } from '../kernel/dates.ts';
import type { Centavos } from '../kernel/money.ts';
import { type Channels, type Offer, simulatorName } from '../money/channels/index.ts';
import type { OpenAttempt } from '../money/charges/index.ts';
import { isLive, type ResultRow } from '../money/collections/index.ts';
import { type BrandPlans, readPlans } from '../money/plans/index.ts';
import { type Coupons, couponItem } from '../payment-requests/http.ts';
import {
  allows,
  allowsBrand,
  allowsInstallments,
  bankPaymentCode,
  documentPaths,
  type PaymentRequestRow,
  qrPayload,
  type TransferAccounts,
} from '../payment-requests/index.ts';
import type { BusinessClock } from '../platform/clocks.ts';
import type { DrawingCache } from '../platform/drawing/cache.ts';
import type { Links } from '../platform/links.ts';
import type { Queryable } from '../platform/postgres/connect.ts';
import { qrShape } from '../platform/qr-shape.ts';
import { amountDue, type RequestKey } from '../requests/index.ts';
import { assetPaths } from './assets.ts';
import type {
  ChannelModel,
  FormState,
  Lang,
  PageModel,
  PayModel,
  RequestModel,
  TestCard,
} from './views/model.ts';
import { cardTakers, soleWay } from './ways.ts';

export interface CheckoutParts {
  sql: Queryable;
  links: Links;
  business: BusinessClock;
  offer: Offer;
  /** Connected acquirers and banks. */
  connected: Channels;
  /** The accounts that receive transfers. */
  transferAccounts: TransferAccounts;
  /** An account's logo on documents. */
  coupons: Pick<Coupons, 'logoOf'>;
  drawn: DrawingCache;
  sandbox: boolean;
  testCards: readonly TestCard[];
}

export interface Visit {
  /**
   * The undecided charge with the payer's next step. Read before the row, so that the row reflects
   * a charge that ends in between.
   */
  attempt: OpenAttempt | null;
  row: PaymentRequestRow;
  results: ResultRow[];
  account: Account;
  token: string;
  lang: Lang;
  today: Temporal.PlainDate;
}

export const checkoutPath = (token: string): string => `/checkout/${token}`;

export const receiptPath = (token: string): string => `${checkoutPath(token)}/receipt`;
/** Returns the path for choosing another way to pay. */
export const cancelPath = (token: string): string => `${checkoutPath(token)}/cancel`;
/** Returns the path to which a redirected payer returns. */
export const returnPath = (token: string): string => `${checkoutPath(token)}/return`;
export const rejectedPath = (token: string): string => `${checkoutPath(token)}/rejected`;

export const withLang = (path: string, lang: Lang): string =>
  lang === 'es' ? path : `${path}?lang=${lang}`;

export const keyOf = ({ row }: Visit): RequestKey => ({ accountId: row.account_id, id: row.id });

/** Returns the last payment that was not fully reversed, or undefined. */
export const collectedIn = ({ results }: Visit): ResultRow | undefined => results.findLast(isLive);

export const pageModel = (lang: Lang, path: string): PageModel => ({
  lang,
  assets: assetPaths,
  pageUrl: path,
});

export const requestModel = (visit: Visit, sandbox: boolean): RequestModel => ({
  ...pageModel(visit.lang, checkoutPath(visit.token)),
  issuer: issuerOf(visit.account),
  id: visit.row.id,
  sandbox,
});

/** Returns the plans open to the payer, without excluded brands and numbers of installments. */
export async function allowedPlans(
  sql: Queryable,
  row: PaymentRequestRow,
  amount: Centavos,
): Promise<BrandPlans[]> {
  const brands = await readPlans(sql, row.account_id, amount);
  return brands
    .filter((brand) => allowsBrand(row, brand.code))
    .map((brand) => ({
      ...brand,
      plans: brand.plans.filter((plan) => allowsInstallments(row, plan.installments)),
    }))
    .filter((brand) => brand.plans.length > 0);
}

/** Null if not offered. */
type Offered = ChannelModel | null;

const qrModel = (payload: string, token: string): ChannelModel => ({
  code: 'qr',
  drawing: qrShape(payload),
  payload,
  imageUrl: `${checkoutPath(token)}/qr.png`,
});

function onlineModels(
  { row, account, token, lang }: Visit,
  parts: CheckoutParts,
  plans: BrandPlans[],
): Offered[] {
  const { offer } = parts;
  const place = { lang, path: checkoutPath(token) };
  const cards = (code: 'credit_card' | 'debit_card'): Offered => {
    const takers = offer[code] ? cardTakers(code, plans, parts, place) : [];
    return takers.length > 0 ? { code, takers } : null;
  };
  const debin = soleWay('DEBIN', parts, place);
  return [
    cards('credit_card'),
    cards('debit_card'),
    offer.DEBIN && debin && { code: 'DEBIN', way: debin },
    offer.qr && soleWay('qr', parts, place) && qrModel(qrPayload(offer.qr, account, row), token),
  ];
}

function offlineModels(
  { row, account, token }: Visit,
  offer: Offer,
  cvu: string | null,
): Offered[] {
  const { banelco_pmc: pmc, link_pagos: link, non_banking: cash } = offer;
  const paymentCode = bankPaymentCode(row);
  return [
    cvu === null
      ? null
      : { code: 'wire_transfer', cvu, holder: account.name, holderCuit: account.cuit },
    pmc && { code: 'banelco_pmc', company: pmc.company, paymentCode },
    link && { code: 'link_pagos', company: link.entity, paymentCode },
    cash && {
      code: 'non_banking',
      barcode: row.details.barcode,
      ...documentPaths(token),
      networks: cash.networks,
    },
  ];
}

async function channelModels(
  visit: Visit,
  parts: CheckoutParts,
  plans: BrandPlans[],
): Promise<ChannelModel[]> {
  const cvu = await parts.transferAccounts.cvuOf(visit.row, visit.account);
  return [...onlineModels(visit, parts, plans), ...offlineModels(visit, parts.offer, cvu)].filter(
    (model) => model !== null && allows(visit.row, model.code),
  ) as ChannelModel[];
}

/** Returns true if the simulator accepts cards, whose numbers decide the outcome. */
const simulatesCards = ({ connected }: CheckoutParts): boolean =>
  connected.choose('credit_card')?.name === simulatorName;

export async function payModel(
  visit: Visit,
  parts: CheckoutParts,
  form: FormState | null,
): Promise<PayModel> {
  const { row, today } = visit;
  const amount = amountDue(row, today);
  const plans = await allowedPlans(parts.sql, row, amount);
  const onFirst = compareDays(today, row.due1) <= 0;
  const path = checkoutPath(visit.token);
  // The address carries the language too, because the response to an unreadable form uses it.
  const pay = withLang(path, visit.lang);
  const check = withLang(`${path}/check`, visit.lang);
  const language = `${path}/language`;
  const simulate = withLang(`${path}/simulate`, visit.lang);
  return {
    ...requestModel(visit, parts.sandbox),
    payerName: row.payer,
    ...(row.reference !== null && { reference: row.reference }),
    description: row.description,
    items: (row.details.items ?? []).map(couponItem),
    due: { day: onFirst ? row.due1 : row.last_due, amount },
    ...(!onFirst && { missed: row.due1 }),
    ...(onFirst &&
      row.due2 !== null &&
      row.total2 !== null && { later: { day: row.due2, amount: row.total2 } }),
    channels: await channelModels(visit, parts, plans),
    actions: { pay, check, language, ...(parts.sandbox && { simulate }) },
    ...(form && { form }),
    ...(parts.sandbox && simulatesCards(parts) && { testCards: parts.testCards }),
  };
}
