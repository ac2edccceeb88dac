import { parseJson } from '../../../kernel/json.ts';
import { cardBrands, type PayerChannel } from '../../../money/channels/index.ts';
import { type FieldFaultsByName, walkFaults } from '../../../platform/errors.ts';
import type { FieldFault } from '../../../platform/pages/components/form.tsx';
import type { Lang } from '../../../platform/pages/model.ts';
import { amountOf, dayTextOf } from '../../../platform/spreadsheets/cells.ts';
import { keyIn } from '../../frame/creating.tsx';
import { refusalText } from '../../frame/faults.ts';
import type { OwnVisit } from '../../frame/visit.ts';
import { type FieldName, newTexts } from './texts.ts';

/** A submitted line item. */
export interface ItemDraft {
  description: string;
  quantity: string;
  amount: string;
}

export interface Draft {
  /** Idempotency key of the form, so that confirming it twice creates one request. */
  key: string;
  values: Readonly<
    Record<Exclude<FieldName, 'excluded_channels' | 'excluded_card_brands'>, string>
  >;
  channels: readonly PayerChannel[];
  /** Codes of excluded card brands. */
  noBrands: readonly string[];
  items: readonly ItemDraft[];
}

/** Fields with one text each. */
export const textFields = [
  'payer_name',
  'payer_email',
  'description',
  'external_reference',
  'first_due_date',
  'first_total',
  'second_due_date',
  'second_total',
  'excluded_installments',
  'back_url_success',
  'back_url_pending',
  'back_url_rejected',
  'metadata',
] as const;

/** Card brands by their codes in the API. */
export const brandChoices = Object.values(cardBrands).map(({ code, label }) => ({
  value: code,
  label,
}));

/** Returns an empty form, which offers every channel. */
export const blankDraft = (
  { query }: Pick<OwnVisit, 'query'>,
  offered: readonly PayerChannel[],
): Draft =>
  draftIn(
    { query, posted: new URLSearchParams(offered.map((code) => ['channels', code])) },
    offered,
  );

/** Reads a submitted form. Without a key, it is a new form. */
export function draftIn(
  visit: Pick<OwnVisit, 'posted' | 'query'>,
  offered: readonly PayerChannel[],
): Draft {
  const { posted } = visit;
  const text = (name: string): string => (posted.get(name) ?? '').replaceAll('\r\n', '\n').trim();
  const [descriptions, quantities, amounts] = [
    'item_description',
    'item_quantity',
    'item_amount',
  ].map((name) => posted.getAll(name).map((one) => one.trim()));
  const chosen = posted.getAll('channels');
  const noBrands = posted.getAll('excluded_card_brands');
  return {
    key: keyIn(visit),
    values: Object.fromEntries(textFields.map((name) => [name, text(name)])) as Draft['values'],
    channels: offered.filter((code) => chosen.includes(code)),
    noBrands: brandChoices.map(({ value }) => value).filter((code) => noBrands.includes(code)),
    items: (descriptions ?? [])
      .map((description, no) => ({
        description,
        quantity: quantities?.[no] ?? '',
        amount: amounts?.[no] ?? '',
      }))
      .filter((item) => Object.values(item).some((value) => value !== '')),
  };
}

/** Parses JSON. Invalid JSON stays a text, which the API's form rejects. */
function jsonOf(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}

const numberOf = (text: string): number | string => (/^\d{1,9}$/.test(text) ? Number(text) : text);

/** Parses counts as people write them: `2, 3 y 12`. */
const countsIn = (text: string): (number | string)[] =>
  text
    .split(/[\s,;.]+|\by\b|\band\b/)
    .filter((part) => part !== '')
    .map(numberOf);

/** Converts a draft to an API request body. */
export function bodyOf(
  { values, channels, noBrands, items }: Draft,
  offered: readonly PayerChannel[],
) {
  const { metadata, excluded_installments: counts, ...others } = values;
  const noCounts = countsIn(counts);
  const excluded = offered.filter((code) => !channels.includes(code));
  return {
    ...others,
    first_due_date: dayTextOf(values.first_due_date),
    first_total: amountOf(values.first_total),
    second_due_date: dayTextOf(values.second_due_date),
    second_total: amountOf(values.second_total),
    ...(metadata !== '' && { metadata: jsonOf(metadata) }),
    ...(noBrands.length > 0 && { excluded_card_brands: noBrands }),
    ...(noCounts.length > 0 && { excluded_installments: noCounts }),
    ...(excluded.length > 0 && { excluded_channels: excluded }),
    ...(items.length > 0 && {
      items: items.map(({ description, quantity, amount }) => ({
        description,
        ...(quantity !== '' && { quantity: numberOf(quantity) }),
        amount: amountOf(amount),
      })),
    }),
  };
}

const isItemField = (name: string): name is keyof ItemDraft =>
  name === 'description' || name === 'quantity' || name === 'amount';

/** Returns the id of a line item's field, to which its fault links. */
export const itemId = (name: keyof ItemDraft, no: number): string => `item_${name}-${no}`;

/** Maps the faults of the API's form to the fields of this page. */
export function faultsOf(lang: Lang, children: FieldFaultsByName): FieldFault[] {
  const texts = newTexts[lang];
  const found = walkFaults(children).map((one) => {
    const [name = '', no = '', member = ''] = one.path;
    const text = refusalText(lang, one);
    if (name === 'items' && isItemField(member)) {
      const label = texts.itemFault({ no: Number(no) + 1, what: texts.items[member] });
      return { field: itemId(member, Number(no)), label, text };
    }
    const field =
      [...textFields, 'excluded_card_brands' as const].find((known) => known === name) ??
      'excluded_channels';
    return { field, label: texts.fields[field], text };
  });
  // Keep only the first fault of each field.
  return [...new Map(found.toReversed().map((one) => [one.field, one])).values()].toReversed();
}
