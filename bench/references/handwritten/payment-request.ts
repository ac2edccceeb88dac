import { createHmac, randomBytes } from 'node:crypto';
import { Refused } from './key-check.ts';

/** The caller's body, validated by the schema. */
export interface Sent {
  description: string;
  first_due_date: string;
  first_total: number;
  payer_name: string;
  external_reference?: string;
  payer_email?: string;
  second_due_date?: string;
  second_total?: number;
}

const text = (maxLength: number) => ({ type: 'string', minLength: 1, maxLength });
const day = { type: 'string', pattern: '^\\d{2}-\\d{2}-\\d{4}$' };
const total = { type: 'number', minimum: 0.01, maximum: 99_999_999.99 };

export const bodySchema = {
  type: 'object',
  required: ['payment_request'],
  additionalProperties: false,
  properties: {
    payment_request: {
      type: 'object',
      required: ['description', 'first_due_date', 'first_total', 'payer_name'],
      additionalProperties: false,
      properties: {
        description: text(500),
        first_due_date: day,
        first_total: total,
        payer_name: text(255),
        external_reference: text(255),
        payer_email: { ...text(255), format: 'email' },
        second_due_date: day,
        second_total: total,
      },
    },
  },
};

/** A row of `requests`, with the columns that this server fills; days are yyyy-mm-dd. */
export interface Row {
  id: number;
  state: string;
  created_at: Date;
  reference: string | null;
  payer: string;
  description: string;
  due1: string;
  total1: number;
  due2: string | null;
  total2: number | null;
  details: { barcode: string; payer_email?: string };
}

/** Converts dd-mm-yyyy to yyyy-mm-dd. */
function dayOf(sent: string, member: string): string {
  const day = `${sent.slice(6)}-${sent.slice(3, 5)}-${sent.slice(0, 2)}`;
  const read = new Date(`${day}T00:00:00Z`);
  if (Number.isNaN(read.getTime()) || read.toISOString().slice(0, 10) !== day) {
    throw new Refused(400, `${member} is no day.`);
  }
  return day;
}

const centavosOf = (total: number): number => Math.round(total * 100);
const offsetMs = 3 * 3_600_000;
const dayMs = 86_400_000;
export const hereAt = (moment: Date): string => new Date(moment.getTime() - offsetMs).toISOString();

function checkDigit(digits: string): string {
  let sum = 0;
  for (let index = 0; index < digits.length; index += 1) {
    sum += Number(digits[index]) * (index === 0 ? 1 : ([3, 5, 7, 9][(index - 1) % 4] as number));
  }
  return String(Math.floor(sum / 2) % 10);
}

const digits = (value: number, width: number): string => String(value).padStart(width, '0');

/** Builds SIRO's layout 0448 with its two check digits. */
function barcodeOf({ id, due1, total1, due2, total2 }: Omit<Row, 'details'>): string {
  const days = due2 === null ? 0 : (Date.parse(due2) - Date.parse(due1)) / dayMs;
  const body = `0448${digits(id, 15)}${due1.slice(2).replaceAll('-', '')}${digits(total1, 10)}${digits(
    days,
    2,
  )}${digits(total2 ?? 0, 10)}5150000000`;
  const once = body + checkDigit(body);
  return once + checkDigit(once);
}

/** Builds the row of a new request; refuses inconsistent due dates. */
export function rowOf(sent: Sent, id: number, now: Date): Row {
  const due1 = dayOf(sent.first_due_date, 'first_due_date');
  const due2 = sent.second_due_date ? dayOf(sent.second_due_date, 'second_due_date') : null;
  const total1 = centavosOf(sent.first_total);
  const total2 = sent.second_total === undefined ? null : centavosOf(sent.second_total);
  if (due1 < hereAt(now).slice(0, 10)) throw new Refused(400, 'first_due_date is past.');
  if ((due2 === null) !== (total2 === null)) {
    throw new Refused(400, 'second_due_date and second_total come together.');
  }
  if (due2 !== null && (due2 <= due1 || (total2 ?? 0) < total1)) {
    throw new Refused(400, 'The second due comes after the first, and is not below it.');
  }
  const row = {
    id,
    state: 'pending',
    created_at: now,
    reference: sent.external_reference ?? null,
    payer: sent.payer_name,
    description: sent.description,
    due1,
    total1,
    due2,
    total2,
  };
  return {
    ...row,
    details: {
      barcode: barcodeOf(row),
      ...(sent.payer_email && { payer_email: sent.payer_email }),
    },
  };
}

export const origin = 'http://127.0.0.1';
const secret = randomBytes(32);

export const tokenOf = (accountId: string, id: number): string => {
  const mac = createHmac('sha256', secret).update(`${accountId}|${id}`).digest('base64url');
  return `${accountId}-${id.toString(36)}-${mac.slice(0, 22)}`;
};

const midnightOf = (day: string): string => `${day}T00:00:00-03:00`;

export function presented(row: Row, accountId: string, now: Date) {
  const token = tokenOf(accountId, row.id);
  const late = row.state === 'pending' && (row.due2 ?? row.due1) < hereAt(now).slice(0, 10);
  return {
    id: row.id,
    type: 'payment_request',
    state: late ? 'expired' : row.state,
    created_at: `${hereAt(row.created_at).slice(0, 19)}-03:00`,
    ...(row.reference !== null && { external_reference: row.reference }),
    payer_name: row.payer,
    ...(row.details.payer_email && { payer_email: row.details.payer_email }),
    description: row.description,
    first_due_date: midnightOf(row.due1),
    first_total: row.total1 / 100,
    ...(row.due2 !== null && { second_due_date: midnightOf(row.due2) }),
    ...(row.total2 !== null && { second_total: row.total2 / 100 }),
    barcode: row.details.barcode,
    checkout_url: `${origin}/checkout/${token}`,
    barcode_url: `${origin}/barcode/${token}.svg`,
    pdf_url: `${origin}/coupon/${token}.pdf`,
  };
}

export interface ResultRow {
  id: number;
  kind: string;
  type: string;
  channel_label: string;
  amount: number;
  net_fee: number;
  fee_iva: number;
  paid_at: string;
  informed_at: string;
  available_on: string | null;
  released_on: string | null;
  details: { payment_metadata?: { holder_name?: string; holder_email?: string } };
}

const movedNames: Record<string, string> = { collected: 'paid_at', rejected: 'rejected_at' };

/** An item of `request_result`. */
export const presentedResult = (row: ResultRow) => ({
  id: row.id,
  type: `${row.type}_${row.kind}_result`,
  channel: row.channel_label,
  [movedNames[row.type] ?? 'reverted_at']: `${hereAt(new Date(row.paid_at)).slice(0, 19)}-03:00`,
  created_at: `${hereAt(new Date(row.informed_at)).slice(0, 19)}-03:00`,
  ...(row.available_on !== null && {
    available_at: midnightOf(row.available_on),
    is_available: row.released_on !== null,
  }),
  amount: row.amount / 100,
  ...(row.type !== 'rejected' && {
    net_fee: row.net_fee / 100,
    fee_iva: row.fee_iva / 100,
    gross_fee: (row.net_fee + row.fee_iva) / 100,
    net_amount: (row.amount - row.net_fee - row.fee_iva) / 100,
  }),
  ...(row.details.payment_metadata && { payment_metadata: row.details.payment_metadata }),
});

/** Returns the payer of a paid request. */
export function presentedHolder(row: Row, results: readonly ResultRow[]) {
  const paid = results.find(({ type }) => type === 'collected');
  const card = paid?.details.payment_metadata;
  const email = card?.holder_email ?? row.details.payer_email;
  return paid
    ? {
        holder_data: {
          holder_name: card?.holder_name ?? row.payer,
          holder_email: email ?? '',
        },
      }
    : {};
}
