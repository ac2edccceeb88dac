import type { CardBrand } from '../kernel/card-number.ts';
import {
  type Channel,
  type ChannelCode,
  type Channels,
  cardBrands,
} from '../money/channels/index.ts';
import type { BrandPlans } from '../money/plans/index.ts';
import type { Links } from '../platform/links.ts';
import type { CardTaker, Lang, BrandPlans as ShownPlans, Way } from './views/model.ts';

export interface WayParts {
  /** Connected acquirers and banks. */
  connected: Channels;
  links: Links;
}

export interface Place {
  lang: Lang;
  /** The path that payers return to. */
  path: string;
}

/** Returns the way to pay with a channel's taker. */
function wayOf(
  taker: Channel,
  code: ChannelCode,
  { links }: Pick<WayParts, 'links'>,
  { lang, path }: Place,
): Way {
  const form = taker.form(code);
  if (form.kind !== 'frame') return form;
  const url = new URL(form.url);
  url.searchParams.set('lang', lang);
  url.searchParams.set('parent', links.origin);
  const { origin, asksPlan, plain, asks } = form;
  if (plain) {
    const back = new URL(path, links.origin);
    const place = { channel: code, connector: taker.name, ...(lang !== 'es' && { lang }) };
    back.search = new URLSearchParams(place).toString();
    url.searchParams.set('back', back.href);
  }
  return { kind: 'frame', url: url.href, origin, asksPlan, plain, asks };
}

/** Returns the way to pay on a channel without cards, or null if no processor is available. */
export function soleWay(code: ChannelCode, parts: WayParts, place: Place): Way | null {
  const taker = parts.connected.choose(code);
  return taker && wayOf(taker, code, parts, place);
}

const plansModel = ({ brand, code, name, plans }: BrandPlans): ShownPlans => ({
  brand: { code, name, family: brand },
  options: plans.map(({ installments, each, total, annualCostPpm }) => ({
    count: installments,
    amount: each,
    total,
    annualCostPpm,
  })),
});

const families = Object.keys(cardBrands) as CardBrand[];

/**
 * Returns a channel's card processors, usually one, each with its brands. Credit cards need a brand
 * with plans. A brand without a processor is not offered.
 */
export function cardTakers(
  code: 'credit_card' | 'debit_card',
  plans: BrandPlans[],
  parts: WayParts,
  place: Place,
): CardTaker[] {
  const isCredit = code === 'credit_card';
  const brands = isCredit ? plans.map(({ brand }) => brand) : families;
  const taken = brands.map((brand) => ({ brand, taker: parts.connected.choose(code, { brand }) }));
  const byTaker = Map.groupBy(taken, ({ taker }) => taker);
  const takers = [...byTaker].flatMap(([taker, own]) =>
    taker ? [{ taker, brands: own.map(({ brand }) => brand) }] : [],
  );
  return takers.map(({ taker, brands: own }) => ({
    connector: taker.name,
    scope: takers.length === 1 ? code : `${code}-${taker.name}`,
    way: wayOf(taker, code, parts, place),
    brands: own.map((family) => ({ family, name: cardBrands[family].label })),
    plans: isCredit ? plans.filter(({ brand }) => own.includes(brand)).map(plansModel) : [],
  }));
}
