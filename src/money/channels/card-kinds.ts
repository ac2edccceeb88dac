import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { noteOperator } from '../../events/index.ts';
import { brandOf, type CardBrand } from '../../kernel/card-number.ts';
import { LocalizedText } from '../../language/localized-text.ts';
import type { Acting } from '../../platform/base.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import { recordset } from '../../platform/postgres/recordset.ts';
import { fault, refusal } from './bins/codes.ts';
import { cardBrands } from './card-brands.ts';

/** Kind of a card. It determines channel and fee. */
export type CardKind = 'credit' | 'debit';

/** Brands that issue only one kind. For others the first digits decide. */
const ownKinds: Partial<Record<CardBrand, CardKind>> = {
  amex: 'credit',
  diners: 'credit',
  naranja: 'credit',
  maestro: 'debit',
};

/** A card's first digits, from an operator's file of BINs. */
export interface Bin {
  prefix: string;
  kind: CardKind;
}

/** Returns a card's kind, or null if only the acquirer knows. */
export type CardKindOf = (card: { number: string; brand: CardBrand }) => CardKind | null;

const shortest = 4;
const longest = 11;

/**
 * Decides by the brand if it issues only one kind, else by the longest BIN that matches the number.
 */
export function cardKinds(bins: readonly Bin[]): CardKindOf {
  const kinds = new Map(bins.map(({ prefix, kind }) => [prefix, kind]));
  return ({ number, brand }) => {
    const own = ownKinds[brand];
    if (own) return own;
    for (let length = longest; length >= shortest; length -= 1) {
      const kind = kinds.get(number.slice(0, length));
      if (kind) return kind;
    }
    return null;
  };
}

export const readBins = (sql: Queryable): Promise<Bin[]> =>
  sql<Bin[]>`select prefix, kind from card_bins order by prefix`;

const heading = 'prefix,kind';
const mostLines = 500_000;

const isKind = (text: string | undefined): text is CardKind =>
  text === 'credit' || text === 'debit';

function binIn(text: string, line: number, seen: ReadonlySet<string>): Bin | LocalizedText {
  const [prefix = '', kind, ...rest] = text.split(',').map((cell) => cell.trim());
  if (!/^[0-9]{4,11}$/.test(prefix)) {
    return fault('card_bins.prefix', { line, shortest, longest });
  }
  if (!isKind(kind) || rest.length > 0) return fault('card_bins.kind', { line });
  if (seen.has(prefix)) return fault('card_bins.repeated', { line, prefix });
  const brand = brandOf(prefix);
  const own = brand && ownKinds[brand];
  if (brand && own && own !== kind) {
    return fault('card_bins.other_kind', { line, brand: cardBrands[brand].label, kind: own });
  }
  return { prefix, kind };
}

/**
 * Parses a file of BINs: CSV with the columns prefix and kind. Rejects the whole file if any line
 * is invalid, and lists the first 20 faults.
 */
export function parseBins(text: string): Bin[] {
  const [first = '', ...lines] = text.replace(/^\ufeff|\r?\n$/g, '').split(/\r?\n/);
  const faults: LocalizedText[] = [];
  if (first.trim() !== heading) faults.push(fault('card_bins.header', { columns: heading }));
  if (lines.length > mostLines) faults.push(fault('card_bins.too_many', { most: mostLines }));
  const bins: Bin[] = [];
  const seen = new Set<string>();
  for (const [index, line] of lines.slice(0, mostLines).entries()) {
    if (line.trim() === '') continue;
    const bin = binIn(line, index + 2, seen);
    if (bin instanceof LocalizedText) faults.push(bin);
    else {
      seen.add(bin.prefix);
      bins.push(bin);
    }
  }
  if (faults.length === 0 && bins.length > 0) return bins;
  throw refusal('card_bins.invalid', {
    faults: faults.length > 0 ? faults.slice(0, 20) : [fault('card_bins.empty', {})],
  });
}

/** Replaces the stored BINs with those of a file, all or nothing. Returns the number of BINs. */
export async function importBins(acting: Acting, path: string): Promise<number> {
  const text = await readFile(path, 'utf8');
  const bins = parseBins(text);
  const eventId = await acting.recordIds.next();
  await acting.sql.begin(async (tx) => {
    // Two imports at once would insert the same prefixes.
    await tx`lock table card_bins in share row exclusive mode`;
    await tx`delete from card_bins`;
    await tx`
      insert into card_bins (prefix, kind)
      select * from ${recordset(tx, 'bin (prefix text, kind text)', bins)}`;
    await noteOperator(tx, acting, {
      eventId,
      entity: 'card_bins',
      entityId: hash('sha256', text),
      type: 'card_bins.imported',
      data: { name: basename(path), lines: bins.length },
    });
  });
  return bins.length;
}
