import { bankOf } from '../kernel/banks.ts';
import { grouped } from '../platform/pages/format.ts';
import type { MandateRow } from './mandate.ts';

/** Shows the first and last four digits in groups of four, as bank statements do. */
const maskedCbu = (cbu: string): string =>
  grouped(`${cbu.slice(0, 4)}${'•'.repeat(cbu.length - 8)}${cbu.slice(-4)}`);

/** Describes the account or card so that its holder recognizes it. Never the whole number. */
export const maskedInstrument = (row: MandateRow): string =>
  row.kind === 'adhesion'
    ? `${bankOf(row.cbu)}, CBU ${maskedCbu(row.cbu)}`
    : row.details.last_four === undefined
      ? 'la tarjeta que elijas al firmar'
      : `${row.details.brand_name} •••• ${row.details.last_four}`;
