import type { Config } from '../config/index.ts';
import { type CardKindOf, cardKinds, readBins } from '../money/channels/index.ts';
import type { Base } from '../platform/base.ts';
import { cached } from '../platform/cached.ts';
import { seenWithinMs } from './base.ts';

/** Classifies cards as debit or credit by the configured prefixes and the table of issuers. */
export function createCardKindLoader(
  { sql, clocks }: Base,
  config: Config,
): () => Promise<CardKindOf> {
  const visaDebit = config.VISA_DEBIT_PREFIXES.map((prefix) => ({
    prefix,
    kind: 'debit' as const,
  }));
  return cached(clocks.wall, seenWithinMs, async () =>
    cardKinds([...visaDebit, ...(await readBins(sql))]),
  );
}
