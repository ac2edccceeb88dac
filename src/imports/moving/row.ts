import { compareDays, dayOf, formatDay, parseDayOrIso, readMoment } from '../../kernel/dates.ts';
import { isRawNumber } from '../../kernel/json.ts';
import { type Centavos, parseAmount } from '../../kernel/money.ts';
import type { FoundFault } from '../../platform/errors.ts';
import { fault } from '../codes.ts';

/** Kinds that move, mandates before their debits. */
export const movedKinds = ['adhesion', 'payment_request', 'qr', 'debit_request'] as const;
export type MovedKind = (typeof movedKinds)[number];
/** Files may contain other kinds, which are omitted. */
type KnownKind = MovedKind | 'card_adhesion' | 'card_debit_request' | 'static_qr' | 'unknown';

/** States of rows that are still open with the former provider. */
const openStates: Readonly<Record<MovedKind, string>> = {
  adhesion: 'signed',
  payment_request: 'pending',
  qr: 'pending',
  debit_request: 'pending',
};

/** An item of a file with its position. */
export interface SourceRow {
  file: string;
  /** Counts from 1. In a CSV file the line of headings is the first. */
  row: number;
  value: unknown;
}

export interface MovingRow extends Pick<SourceRow, 'file' | 'row'> {
  kind: KnownKind;
  state: string;
  oldId: string;
  /**
   * The amount due today. For a row that is not open, its first total. Null for a mandate, or if it
   * cannot be read.
   */
  amount: Centavos | null;
  open: boolean;
  /** Body of the API request that creates the row here. */
  body: Record<string, unknown>;
  /** Faults that the form of the body cannot detect. */
  faults: FoundFault[];
  sent: Readonly<Record<string, unknown>>;
}

/** An open row of a kind that moves. */
export type OpenRow = MovingRow & { kind: MovedKind; open: true };

export const isOpen = (row: MovingRow): row is OpenRow => row.open;

type Members = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isRawNumber(value);

const textOf = (value: unknown): string => {
  if (isRawNumber(value)) return value.rawJSON;
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
};

const isOldId = (id: string): boolean => /^[!-~]{1,64}$/.test(id);

/** Recognizes an item's kind by its `type`, or by members that only that kind has. */
function kindOf(item: Members): KnownKind {
  const { type } = item;
  if (type === 'payment_request' || type === 'debit_request' || type === 'card_debit_request') {
    return type;
  }
  if (String(item.qr_type ?? '').startsWith('static_')) return 'static_qr';
  if ('status' in item && 'payer_name' in item) return 'qr';
  if ('card_holder_name' in item) return 'card_adhesion';
  if ('cbu_number' in item) return 'adhesion';
  return 'unknown';
}

export const faultAt = (path: string[], localized: ReturnType<typeof fault>): FoundFault => ({
  path,
  message: String(localized),
  localized,
});

/** Formats a due day for bodies. Leaves anything else to the form, which rejects it. */
function dayText(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    if (/^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:?\d\d)$/i.test(value)) {
      return formatDay(dayOf(readMoment(value)));
    }
  } catch {
    return value;
  }
  const day = parseDayOrIso(value.slice(0, 10));
  return day === null ? value : formatDay(day);
}

const sharedFields = ['payer_name', 'description', 'external_reference', 'payer_email'] as const;

/** Members that each kind's body copies unchanged. */
const fields: Readonly<Record<MovedKind, readonly string[]>> = {
  payment_request: [
    ...sharedFields,
    'back_url_success',
    'back_url_pending',
    'back_url_rejected',
    'excluded_channels',
    'excluded_card_brands',
    'excluded_installments',
    'metadata',
    'items',
  ],
  debit_request: ['description', 'external_reference', 'metadata'],
  adhesion: [
    'adhesion_holder_name',
    'email',
    'description',
    'short_description',
    'cbu_number',
    'cbu_holder_name',
    'cbu_holder_id_number',
    'external_reference',
    'metadata',
  ],
  qr: [...sharedFields, 'city', 'multiple_payment', 'qr_type', 'qr_name', 'postal_code'],
};

const isSent = (value: unknown): boolean => value !== undefined && value !== null && value !== '';

/**
 * Returns both due dates with their totals. Between the two, returns only the second, because that
 * is what the payer owes.
 */
function duesOf(item: Members, today: Temporal.PlainDate): Record<string, unknown> {
  const [first, second] = [dayText(item.first_due_date), dayText(item.second_due_date)];
  const [firstDay, secondDay] = [first, second].map((day) =>
    typeof day === 'string' ? parseDayOrIso(day) : null,
  );
  const isPast = firstDay && compareDays(firstDay, today) < 0;
  const isOpenStill = secondDay && compareDays(secondDay, today) >= 0;
  if (isPast && isOpenStill && isSent(item.second_total)) {
    return { first_due_date: second, first_total: item.second_total };
  }
  return {
    first_due_date: first,
    first_total: item.first_total,
    ...(isSent(second) && { second_due_date: second }),
    ...(isSent(item.second_total) && { second_total: item.second_total }),
  };
}

/** Preserves the old id: in the metadata, and as the reference if there is none. */
const withOldId = (body: Record<string, unknown>, oldId: string) => ({
  ...body,
  ...(!isSent(body.external_reference) && { external_reference: oldId }),
  metadata:
    body.metadata === undefined || isObject(body.metadata)
      ? { ...body.metadata, previous_id: oldId }
      : body.metadata,
});

/** Returns the part of a QR's id that its caller chose, without the former account's prefix. */
const callersPart = (oldId: string): string => oldId.replace(/^[0-9A-F]{8}-/, '');

function bodyOf(
  kind: MovedKind,
  item: Members,
  { oldId, today }: { oldId: string; today: Temporal.PlainDate },
): Record<string, unknown> {
  const taken = Object.fromEntries(
    fields[kind].flatMap((name) => (isSent(item[name]) ? [[name, item[name]]] : [])),
  );
  if (kind === 'adhesion') return withOldId(taken, oldId);
  const owed = { ...taken, ...duesOf(item, today) };
  if (kind === 'qr') return { ...owed, id: callersPart(oldId) };
  return withOldId(owed, oldId);
}

/** Returns the old id of a debit's mandate, or '' if it is missing or malformed. */
export function oldMandateOf({ sent }: MovingRow): string {
  const id = textOf(sent.adhesion_id) || (isObject(sent.adhesion) ? textOf(sent.adhesion.id) : '');
  return isOldId(id) ? id : '';
}

/** The fault of a debit whose mandate is not moved. */
export function mandateFault(row: MovingRow): FoundFault {
  const id = oldMandateOf(row);
  const why =
    id === '' ? fault('import.old_id_malformed', {}) : fault('import.mandate_not_moved', { id });
  return faultAt(['adhesion_id'], why);
}

const isMoved = (kind: KnownKind): kind is MovedKind =>
  (movedKinds as readonly string[]).includes(kind);

/** Converts an item of a file to a row. */
export function movingRow({ file, row, value }: SourceRow, today: Temporal.PlainDate): MovingRow {
  const sent: Members = isObject(value) ? value : {};
  const kind = kindOf(sent);
  const oldId = textOf(sent.id);
  const state = textOf(sent.state ?? sent.status).toLowerCase();
  const faults = [
    ...(kind === 'unknown' ? [faultAt([], fault('import.row_unknown', {}))] : []),
    ...(isMoved(kind) && !isOldId(oldId)
      ? [faultAt(['id'], fault('import.old_id_malformed', {}))]
      : []),
  ];
  const open = isMoved(kind) && state === openStates[kind];
  const body = isMoved(kind) ? bodyOf(kind, sent, { oldId, today }) : {};
  const amount = parseAmount(open ? body.first_total : sent.first_total);
  return {
    ...{ file, row, kind, state, oldId, open, body, faults, sent },
    amount: amount.ok ? amount.value : null,
  };
}
