import type { Difference, Judged, KindReconciled, Tally } from '../../imports/index.ts';
import { type Centavos, decimalText } from '../../kernel/money.ts';

const amountOf = (amount: Centavos | null): string | null =>
  amount === null ? null : decimalText(amount);

interface ListedFault {
  file: string;
  row: number;
  kind: string;
  id: string;
  field: string;
  error_code: string | null;
  message: string;
}

export const faultsOf = ({ row, faults }: Extract<Judged, { outcome: 'faulty' }>): ListedFault[] =>
  faults.map(({ path, message, localized }) => ({
    ...{ file: row.file, row: row.row, kind: row.kind, id: row.oldId },
    field: path.join('.'),
    error_code: localized?.key ?? null,
    message,
  }));

export const differenceRow = ({ what, row, booked }: Difference) => ({
  what,
  ...{ file: row.file, row: row.row, kind: row.kind, id: row.oldId },
  file_amount: amountOf(row.amount),
  booked_amount: amountOf(booked),
});

export const tallyRow = ({ amount, ...counts }: Tally) => ({ ...counts, amount: amountOf(amount) });

export const kindRow = ({ file_amount, booked_amount, ...counts }: KindReconciled) => ({
  ...counts,
  file_amount: amountOf(file_amount),
  booked_amount: amountOf(booked_amount),
});

export interface Report {
  account: string;
  confirmed: boolean;
  kinds: ReturnType<typeof tallyRow>[];
  faulty_rows: number;
  faults: ListedFault[];
  reconciliation: {
    kinds: ReturnType<typeof kindRow>[];
    differences: ReturnType<typeof differenceRow>[];
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
