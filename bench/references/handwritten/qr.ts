import { hereAt, origin, tokenOf } from './payment-request.ts';

/** A QR with its account's name and its payment events; days are yyyy-mm-dd. */
export interface QrRow {
  account_id: string;
  cuit: string;
  name: string;
  id: number;
  code: string;
  state: string;
  created_at: Date;
  reference: string | null;
  payer: string;
  description: string;
  due1: string;
  total1: number;
  due2: string | null;
  total2: number | null;
  details: { city: string; multiple_payment: boolean; edited_at?: string; deleted_at?: string };
  payments: number;
  paid_at: Date | null;
  informed_at: Date | null;
}

export const statusText = `
  select r.account_id, a.cuit, a.name, r.id::int, r.code, r.state, r.created_at, r.reference,
    r.payer, r.description, r.due1::text, r.total1::float8, r.due2::text, r.total2::float8,
    r.details, money.payments, money.paid_at, money.informed_at
  from requests r join accounts a on a.id = r.account_id
  cross join lateral (
    select count(*)::int as payments, max(paid_at) as paid_at, max(informed_at) as informed_at
    from results m where m.account_id = r.account_id and m.request_id = r.id
  ) money
  where r.account_id = $1 and r.code = $2 and r.kind = 'qr'`;

const field = (id: string, value: string): string =>
  `${id}${String(value.length).padStart(2, '0')}${value}`;

const plain = (text: string, most: number): string =>
  text.normalize('NFKD').replace(/\p{M}/gu, '').toUpperCase().slice(0, most).trim();

function crcOf(text: string): string {
  let crc = 0xffff;
  for (const byte of Buffer.from(text)) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) {
      crc = (crc & 0x8000) === 0 ? (crc << 1) & 0xffff : ((crc << 1) ^ 0x1021) & 0xffff;
    }
  }
  return crc.toString(16).toUpperCase().padStart(4, '0');
}

/** Builds the text for wallets (EMV), with the default names of the acceptor. */
function textOf(row: QrRow): string {
  const acceptor = field('00', 'ar.recaudo') + field('98', '30692264785') + field('99', '01');
  const covered = [
    field('00', '01'),
    field('01', '12'),
    field('43', acceptor),
    field('50', field('00', row.cuit)),
    field('52', '9399'),
    field('53', '032'),
    row.total2 === null ? field('54', (row.total1 / 100).toFixed(2)) : '',
    field('58', 'AR'),
    field('59', plain(row.name, 25)),
    field('60', plain(row.details.city, 15)),
    field('62', field('01', row.code)),
    '6304',
  ].join('');
  return covered + crcOf(covered);
}

const names: Record<string, string> = {
  pending: 'Pending',
  paid: 'Paid',
  expired: 'Expired',
  deleted: 'Deleted',
  refunded: 'Refunded',
};

const shownDay = (day: string): string => `${day.slice(8)}-${day.slice(5, 7)}-${day.slice(0, 4)}`;
const shownMoment = (at: Date): { day: string; time: string } => {
  const here = hereAt(at).slice(0, 19);
  return { day: shownDay(here.slice(0, 10)), time: `${here}-03:00` };
};

/** Builds the answer of GET /status/{qr_id}. */
export function presentedQr(row: QrRow, now: Date) {
  const late = row.state === 'pending' && (row.due2 ?? row.due1) < hereAt(now).slice(0, 10);
  const own = [row.details.edited_at, row.details.deleted_at].flatMap((at) =>
    at ? [new Date(at)] : [],
  );
  const changes = [row.created_at, ...own, ...(row.informed_at === null ? [] : [row.informed_at])];
  const created = shownMoment(row.created_at);
  const updated = shownMoment(new Date(Math.max(...changes.map((at) => at.getTime()))));
  const paid = row.paid_at && shownMoment(row.paid_at);
  const deleted = row.details.deleted_at ? shownMoment(new Date(row.details.deleted_at)) : null;
  const image = `${origin}/qr-image/${tokenOf(row.account_id, row.id)}`;
  return {
    id: row.code,
    cuit: row.cuit,
    account_id: row.account_id,
    description: row.description,
    first_due_date: shownDay(row.due1),
    first_total: row.total1 / 100,
    ...(row.due2 !== null && { second_due_date: shownDay(row.due2) }),
    ...(row.total2 !== null && { second_total: row.total2 / 100 }),
    ...(row.reference !== null && { external_reference: row.reference }),
    payer_name: row.payer,
    city: row.details.city,
    multiple_payment: row.details.multiple_payment,
    status: names[late ? 'expired' : row.state],
    created_at: created.day,
    created_at_time: created.time,
    updated_at: updated.day,
    updated_at_time: updated.time,
    ...(row.payments > 0 && { request_id: row.id }),
    ...(row.details.multiple_payment && { payments: row.payments }),
    ...(paid && { paid_at: paid.day, paid_at_time: paid.time }),
    ...(deleted && { deleted_at: deleted.day, deleted_at_time: deleted.time }),
    qr_string: textOf(row),
    image_url: `${image}.png`,
    image_svg_url: `${image}.svg`,
  };
}
