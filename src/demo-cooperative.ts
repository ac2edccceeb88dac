import { formatDay } from './kernel/dates.ts';

export interface Answer {
  status: number;
  body: Record<string, unknown>;
}

/** The demo's tools: API calls, and time. */
export interface Means {
  /** Calls the API. A repetition with the same name counts once. Throws if refused. */
  call(method: 'GET' | 'POST', path: string, body: unknown, name: string): Promise<Answer>;
  /** Moves the business clock to noon of a day, counted from the start. Never moves it back. */
  until(days: number): Promise<void>;
  /** Pays the cooperative everything that is available. */
  payOut(reference: string): Promise<void>;
  /** Returns a day, counted from the start. */
  day(days: number): Temporal.PlainDate;
}

const members = [
  'Ana Pérez',
  'Bruno Díaz',
  'Carla Gómez',
  'Diego Fernández',
  'Elena Sosa',
  'Facundo Ruiz',
  'Graciela Torres',
  'Hugo Álvarez',
  'Inés Romero',
  'Joaquín Benítez',
  'Karina Acosta',
  'Luis Medina',
  'Marta Herrera',
  'Nicolás Suárez',
  'Olga Aguirre',
  'Pablo Giménez',
  'Rosa Molina',
  'Santiago Castro',
] as const;

/** The channels that members use, in turn. */
const habits = [
  'credit_card',
  'non_banking',
  'DEBIN',
  'wire_transfer',
  'link_pagos',
  'debit_card',
] as const;
const pays = (no: number, month: number): 'early' | 'on_time' | 'late' | 'never' => {
  if (no % 9 === 8 || (no + month) % 11 === 10) return 'never';
  if (no % 7 === 6) return 'late';
  return no % 2 === 0 ? 'early' : 'on_time';
};

/** Members with direct debits. The second one never has sufficient funds. */
const debited = [
  { name: 'Teresa Vega', cbu: '0110599500000012345711' },
  { name: 'Ulises Ponce', cbu: '0110599500000000099105' },
  { name: 'Valeria Ortiz', cbu: '0110599500000012345889' },
] as const;

const fee = 18_500;
const lateFee = 20_350;
const monthNames = ['primer', 'segundo', 'tercer'] as const;
const days = { month: 30, due: 22, late: 36 } as const;

const number = ({ body }: Answer): number => Number(body.id);

type Ids = readonly number[];

/** Bills each member's monthly fee, with a second due date that costs more. */
async function charge(means: Means, month: number): Promise<Ids> {
  const from = month * days.month;
  const made: number[] = [];
  for (const [no, payer] of members.entries()) {
    const reference = `socio-${String(no + 1).padStart(3, '0')}-mes-${month + 1}`;
    const payment_request = {
      description: `Cuota social, ${monthNames[month]} mes`,
      external_reference: reference,
      payer_name: payer,
      first_due_date: formatDay(means.day(from + days.due)),
      first_total: fee,
      second_due_date: formatDay(means.day(from + days.late)),
      second_total: lateFee,
    };
    made.push(number(await means.call('POST', '/payment-request', { payment_request }, reference)));
  }
  return made;
}

/** Simulates some members' payments of a month's fee. */
async function collect(
  means: Means,
  ids: Ids,
  { month, when }: { month: number; when: ReturnType<typeof pays> },
): Promise<void> {
  for (const [no, id] of ids.entries()) {
    if (pays(no, month) !== when) continue;
    const channel = habits[no % habits.length];
    await means.call('POST', `/sandbox/pay/${id}`, { channel }, `paga-${id}`);
  }
}

async function signMandates(means: Means): Promise<Ids> {
  const made: number[] = [];
  for (const [no, { name, cbu }] of debited.entries()) {
    const reference = `adhesion-${no + 1}`;
    const adhesion = {
      adhesion_holder_name: name,
      email: `socio-${no + 1}@recaudo.example`,
      description: 'Cuota social de la cooperativa',
      short_description: 'Cuota social',
      cbu_number: cbu,
      cbu_holder_name: name,
      cbu_holder_id_number: 20_055_361_682,
      external_reference: reference,
    };
    made.push(number(await means.call('POST', '/adhesion', { adhesion }, reference)));
  }
  return made;
}

async function debit(means: Means, mandates: Ids, month: number): Promise<void> {
  for (const mandate of mandates) {
    const reference = `debito-${mandate}-mes-${month + 1}`;
    const debit_request = {
      adhesion_id: mandate,
      description: `Cuota social, ${monthNames[month]} mes`,
      external_reference: reference,
      first_due_date: formatDay(means.day(month * days.month + days.due)),
      first_total: fee,
    };
    await means.call('POST', '/debit-request', { debit_request }, reference);
  }
}

/** Sells a raffle by QR, and puts up a code at the buffet. */
async function sellByQr(means: Means): Promise<void> {
  const data = ['RIFA-1', 'RIFA-2', 'RIFA-3', 'RIFA-4'].map((id, no) => ({
    id,
    city: 'Buenos Aires',
    multiple_payment: false,
    external_reference: id,
    description: 'Rifa de fin de año',
    first_total: 2_500,
    first_due_date: formatDay(means.day(100)),
    payer_name: members[no] ?? 'Socio',
  }));
  const batch = { total_count: data.length, data };
  const saved = await means.call('POST', '/save-qr-data', batch, 'rifa');
  const ids = (saved.body.data as { id: string }[]).map(({ id }) => id);
  for (const id of ids.slice(0, 2))
    await means.call('POST', `/pay-qr/${id}`, undefined, `paga-${id}`);
  const wall = {
    id: 'BUFET',
    qr_type: 'static_open_amount',
    qr_name: 'Bufet',
    city: 'Buenos Aires',
    multiple_payment: 'true',
    description: 'Bufet de la sede',
    payer_name: 'Visitantes',
  };
  await means.call('POST', '/create-qr', wall, 'bufet');
}

async function giveBack(means: Means, ids: Ids): Promise<void> {
  const [refunded, , , , disputed] = ids;
  await means.call(
    'POST',
    `/payment-request/${refunded}/refund`,
    { refund: { amount: 5_000 } },
    'devuelve',
  );
  await means.call('POST', `/sandbox/chargeback/${disputed}`, {}, 'contracargo');
}

/**
 * Simulates three months of a cooperative: fees paid early, on time, late and never, debits of
 * which the bank rejects some, QRs, a refund, a chargeback, and a payout each month. Ends with
 * money to pay out, and fees that are due, overdue and expired. Safe to repeat from the start.
 */
export async function liveThreeMonths(means: Means): Promise<void> {
  let former: { ids: Ids; month: number } | null = null;
  const mandates = await signMandates(means);
  for (const month of [0, 1, 2]) {
    const from = month * days.month;
    await means.until(from);
    const ids = await charge(means, month);
    await debit(means, mandates, month);
    await means.until(from + 4);
    if (former) await collect(means, former.ids, { month: former.month, when: 'late' });
    await collect(means, ids, { month, when: 'early' });
    if (month === 1) {
      await sellByQr(means);
      await giveBack(means, ids);
    }
    await means.until(from + 18);
    await collect(means, ids, { month, when: 'on_time' });
    await means.until(from + 20);
    await means.payOut(`mes-${month + 1}`);
    await means.until(from + 28);
    former = { ids, month };
  }
  if (former) await collect(means, former.ids, { month: former.month, when: 'late' });
}
