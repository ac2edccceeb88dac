import { Type } from 'typebox';
import type { ListEventsQuery, Reports } from '../../../../clients/typescript/src/index.ts';
import { hints, tool } from '../tool.ts';
import { day, oneOf, optionalDay, requestId, sentDay, text } from './inputs.ts';
import { callsOf, type Item, listedKinds, refundsOf, requestKinds, take } from './kinds.ts';

const mostListed = 50;
const usualListed = 10;

const limit = Type.Optional(
  Type.Integer({
    description: `Items to answer, at most ${mostListed}; ${usualListed} if absent`,
    minimum: 1,
    maximum: mostListed,
  }),
);

/** Members shown in a list. `get` shows all of them. */
const shortMembers = [
  ...['id', 'type', 'state', 'state_comment', 'external_reference', 'payer_name'],
  ...['adhesion_holder_name', 'description', 'first_total', 'first_due_date', 'amount', 'month'],
  ...['year', 'adhesion_id', 'card_adhesion_id', 'created_at', 'paid_at', 'signed_at'],
];
const shortened = (item: Item) =>
  Object.fromEntries(Object.entries(item).filter(([name]) => shortMembers.includes(name)));

const find = tool({
  name: 'find',
  title: 'Find payments, debits and mandates',
  description:
    'Lists what was created, oldest first, by any of the filters. more: true means that others follow: pass next_after as after.',
  hints: hints.reads,
  input: Type.Object({
    kind: oneOf(listedKinds, 'What to list; adhesions are mandates'),
    state: Type.Optional(text('State, such as pending, paid, rejected, signed', 30)),
    external_reference: Type.Optional(text('Your own reference, whole')),
    name: Type.Optional(text('Part of the name of payer or holder')),
    created_from: Type.Optional(day('Created on this day or later')),
    created_to: Type.Optional(day('Created on this day or earlier')),
    after: Type.Optional(requestId('Only those with a higher id')),
    limit,
  }),
  run: async ({ recaudo }, { kind, name, created_from, created_to, limit, ...filters }) => {
    const count = limit ?? usualListed;
    const list = callsOf(recaudo, kind).list({
      ...filters,
      [kind === 'payment_request' ? 'payer_name' : 'adhesion_holder_name']: name,
      created_at_gte: optionalDay(created_from),
      created_at_lte: optionalDay(created_to),
      limit: count + 1,
    });
    const { data, more } = await take(list, count);
    return { data: data.map(shortened), more, ...(more && { next_after: data.at(-1)?.id }) };
  },
});

const get = tool({
  name: 'get',
  title: 'Get one with all that happened to it',
  description:
    'Reads a payment request, debit, mandate or QR by its id, with payments, fees, refusals, chargebacks and refunds.',
  hints: hints.reads,
  input: Type.Object({
    kind: oneOf([...listedKinds, 'qr'], 'Kind'),
    id: Type.Unsafe<string | number>({
      type: ['integer', 'string'],
      description: 'Id: a number; of a QR its text',
    }),
  }),
  run: async ({ recaudo }, { kind, id }): Promise<object> => {
    if (kind === 'qr') return await recaudo.qr.get(String(id));
    const item = await callsOf(recaudo, kind).get(Number(id));
    const noun = requestKinds.find((one) => one === kind);
    if (noun === undefined) return item;
    const refunds = await refundsOf(recaudo, noun).listRefunds(Number(id));
    return { ...item, refunds };
  },
});

const getBalances = tool({
  name: 'get_balances',
  title: 'Get the account and its balances',
  description:
    'The account of the key: id, name, CUIT, available_balance (can be paid out) and unavailable_balance (collected, not due yet).',
  hints: hints.reads,
  input: Type.Object({}),
  run: ({ recaudo }) => recaudo.account(),
});

const reportKinds = ['collection', 'chargeback', 'refund', 'settlement', 'retentions'] as const;

/** Monetary members of report rows, totaled over the day. */
const moneyMembers = [
  ...['amount_paid', 'net_fee', 'iva_fee', 'net_amount', 'reverted_amount', 'refunded_amount'],
  ...['credit', 'debit', 'amount'],
];
const centsOf = (pesos: unknown): number => Math.round(Number(pesos) * 100);

const getReport = tool({
  name: 'get_report',
  title: 'Get the report of a day',
  description:
    'What was collected, charged back, refunded, settled or withheld on a day: the number of rows, their sums, and the first rows. A day is the one on which the service learnt of it; today is provisional.',
  hints: hints.reads,
  input: Type.Object({ kind: oneOf(reportKinds, 'Report'), date: day('The day'), limit }),
  run: async ({ recaudo }, { kind, date, limit }) => {
    const count = limit ?? usualListed;
    const data: Reports[typeof kind]['data'][number][] = [];
    const cents: Record<string, number> = {};
    let rows = 0;
    for await (const row of recaudo.reports.rows(kind, sentDay(date))) {
      rows += 1;
      if (data.length < count) data.push(row);
      for (const [name, value] of Object.entries(row)) {
        if (moneyMembers.includes(name)) cents[name] = (cents[name] ?? 0) + centsOf(value);
      }
    }
    const sums = Object.fromEntries(Object.entries(cents).map(([name, sum]) => [name, sum / 100]));
    return { kind, date, rows, sums, data };
  },
});

const listEvents = tool({
  name: 'list_events',
  title: 'List events, or the deliveries of one',
  description:
    'Events, as webhooks report them. With event_id: the receivers of that event, with each attempt and its answer, to find out why a webhook did not arrive.',
  hints: hints.reads,
  input: Type.Object({
    event_id: Type.Optional(requestId('Deliveries of this event; other filters do not apply')),
    entity_id: Type.Optional(text('Only events of this id, such as that of a payment request')),
    type: Type.Optional(
      Type.Unsafe<NonNullable<ListEventsQuery['type']>>({
        ...text('Only this type, such as payment_request.paid'),
      }),
    ),
    after: Type.Optional(requestId('Only events after this position')),
    limit,
  }),
  run: async ({ recaudo }, { event_id, limit, ...filters }) => {
    if (event_id !== undefined) return { data: await recaudo.events.deliveries(event_id) };
    const count = limit ?? usualListed;
    const list = recaudo.events.list({ ...filters, limit: count + 1 });
    const { data, more } = await take(list, count);
    return { data, more, ...(more && { next_after: data.at(-1)?.position }) };
  },
});

const explainCode = tool({
  name: 'explain_code',
  title: 'Explain an error code',
  description:
    'Looks up an error_code (invalid_fields, payment_request.not_found), a code at a field, a code of the QR service (H103) or of a bank (R10): its meaning, status and remedy.',
  hints: hints.reads,
  local: true,
  input: Type.Object({ code: text('The code', 100) }),
  run: async ({ codes }, { code }) => {
    const known = await codes();
    const lowerCode = code.trim().toLowerCase();
    const found = [...known].find(([one]) => one.toLowerCase() === lowerCode);
    if (found) return { code: found[0], ...found[1] };
    const close = [...known.keys()].filter((one) => one.toLowerCase().includes(lowerCode));
    throw new Error(
      close.length > 0
        ? `There is no code ${code}. Codes that contain it: ${close.slice(0, 10).join(', ')}.`
        : `There is no code ${code}.`,
    );
  },
});

export const readingTools = [find, get, getBalances, getReport, listEvents, explainCode];
