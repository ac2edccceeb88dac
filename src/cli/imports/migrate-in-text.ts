import { type Centavos, decimalText } from '../../kernel/money.ts';

export const amountOf = (amount: Centavos | null): string | null =>
  amount === null ? null : decimalText(amount);

/** The result of `migrate-in`. */
export interface Report {
  account: string;
  confirmed: boolean;
  kinds: {
    kind: string;
    state: string;
    rows: number;
    amount: string | null;
    sound: number;
    there: number;
    faulty: number;
    left_out: number;
    repeated: number;
  }[];
  faulty_rows: number;
  faults: {
    file: string;
    row: number;
    field: string;
    error_code: string | null;
    message: string;
  }[];
  reconciliation: {
    kinds: {
      kind: string;
      file_rows: number;
      file_amount: string | null;
      booked_rows: number;
      booked_amount: string | null;
      states: Record<string, number>;
    }[];
    differences: {
      what: string;
      file: string;
      row: number;
      id: string;
      file_amount: string | null;
      booked_amount: string | null;
    }[];
    difference_count: number;
  } | null;
  map_file: string | null;
}

/** Maximum number of faults and differences on a terminal. */
const maxLines = 20;

const shortened = (lines: string[], count: number): string[] =>
  count > maxLines ? [...lines.slice(0, maxLines), `  … ${count - maxLines} more`] : lines;

const kindText = ({ kind, state, rows, amount, ...counts }: Report['kinds'][number]): string => {
  const parts = Object.entries(counts).filter(([, count]) => count > 0);
  const countsText = parts.map(([name, count]) => `${count} ${name.replace('_', ' ')}`).join(', ');
  return `${kind} ${state || '-'}: ${rows} rows, ${amount}: ${countsText}`;
};

const faultText = ({ file, row, field, message, error_code }: Report['faults'][number]): string =>
  `  ${file} row ${row}${field && ` ${field}`}: ${message}${error_code === null ? '' : ` (${error_code})`}`;

function reconciliationText({
  kinds,
  differences,
  difference_count: count,
}: NonNullable<Report['reconciliation']>): string[] {
  const lines = kinds.map(
    (one) =>
      `${one.kind}: ${one.file_rows} open in the files (${one.file_amount}), ${one.booked_rows} booked (${one.booked_amount})`,
  );
  const rows = differences.map(
    ({ what, file, row, id, file_amount, booked_amount }) =>
      `  ${file} row ${row} ${id}: ${what.replace('_', ' ')}, ${file_amount ?? '-'} in the file, ${booked_amount ?? '-'} booked`,
  );
  const end = count === 0 ? 'files and books agree' : `${count} rows differ:`;
  return [...lines, end, ...shortened(rows, count)];
}

/** Formats the report for people. */
export function movedText(report: Report): string[] {
  const { confirmed, kinds, faults, faulty_rows, reconciliation, map_file } = report;
  return [
    ...kinds.map(kindText),
    ...(faulty_rows === 0 ? [] : [`${faulty_rows} rows have errors:`]),
    ...shortened(faults.map(faultText), faults.length),
    ...(reconciliation === null ? [] : reconciliationText(reconciliation)),
    ...(map_file === null ? [] : [`${map_file} has old and new ids`]),
    ...(confirmed ? [] : ['nothing was written; repeat with --confirm']),
  ];
}
