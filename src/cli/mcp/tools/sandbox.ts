import { Type } from 'typebox';
import { hints, tool } from '../tool.ts';
import { idempotencyKey, keyed, oneOf, pesos, requestId } from './inputs.ts';

const channels = [
  ...(['credit_card', 'debit_card', 'banelco_pmc', 'link_pagos'] as const),
  ...(['DEBIN', 'wire_transfer', 'non_banking', 'qr'] as const),
] as const;

const sandboxPay = tool({
  name: 'sandbox_pay',
  title: 'Pay as the payer would (sandbox)',
  description:
    'Pays a payment request with pretended money. Amounts whose cents are .91 to .95 and the test cards fail on purpose.',
  hints: { ...hints.adds, openWorldHint: false },
  sandboxOnly: true,
  input: Type.Object({
    request_id: requestId('Id of the payment request'),
    channel: Type.Optional(oneOf(channels, 'Channel; cash (non_banking) if absent')),
    amount: Type.Optional(pesos('Pesos; what is due if absent')),
    card_number: Type.Optional(
      Type.String({ description: 'A test card, for card channels', pattern: '^[0-9 -]{12,25}$' }),
    ),
    idempotency_key: idempotencyKey,
  }),
  run: ({ recaudo }, { request_id, idempotency_key, ...fields }) =>
    recaudo.sandbox.pay(request_id, fields, keyed(idempotency_key)),
});

const sandboxClock = tool({
  name: 'sandbox_clock',
  title: "Read or move the sandbox's clock",
  description:
    'Without arguments: the present moment of the sandbox. With days or hours: moves time forward for the whole deployment, runs all that falls due on the way (debits, expiries, availability), and tells what happened. It never goes back.',
  hints: { ...hints.adds, openWorldHint: false },
  sandboxOnly: true,
  input: Type.Object({
    days: Type.Optional(Type.Integer({ description: 'Days', minimum: 1, maximum: 366 })),
    hours: Type.Optional(Type.Integer({ description: 'Hours', minimum: 1, maximum: 1000 })),
    idempotency_key: idempotencyKey,
  }),
  run: ({ recaudo }, { idempotency_key, days, hours }) => {
    if (days === undefined && hours === undefined) return recaudo.sandbox.clock.get();
    return recaudo.sandbox.clock.advance({ days, hours }, keyed(idempotency_key));
  },
});

export const sandboxTools = [sandboxPay, sandboxClock];
