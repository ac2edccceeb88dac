import { expectEqual, expectItems, expectMembers, expectRefused, expectStatus } from '../api.ts';
import { section, type World } from '../check.ts';

const path = '/payment-request';

const fieldsOf = (world: World, more: Record<string, unknown> = {}): Record<string, unknown> => ({
  description: 'Contract: cuota de diciembre',
  first_due_date: world.day(20),
  first_total: 1430.5,
  payer_name: 'Ana Pérez',
  ...more,
});

const create = (world: World, more?: Record<string, unknown>) =>
  world.call('POST', path, { body: { payment_request: fieldsOf(world, more) } });

async function refuses(world: World, more: Record<string, unknown>, what: string): Promise<void> {
  expectRefused(await create(world, more), what);
}

async function created(world: World, more?: Record<string, unknown>) {
  const answer = await create(world, more);
  expectStatus(answer, 201);
  return expectMembers(answer.body, { id: 'integer', state: 'text' });
}

const optional = (world: World) => ({
  external_reference: `order ${world.run}`,
  payer_email: 'ana@example.com',
  second_total: 1500.75,
  back_url_success: 'https://shop.example.com/ok',
  back_url_pending: 'https://shop.example.com/wait',
  back_url_rejected: 'https://shop.example.com/no',
  excluded_channels: ['DEBIN', 'non_banking'],
  excluded_installments: [3, 6],
  metadata: { cart: { id: 7, tags: ['a', 'ñ'] }, gift: null },
  items: [{ quantity: 2, description: 'Remera', amount: 715.25 }],
});

const limits = { description: 500, payer_name: 255, external_reference: 255 };
const channels = [
  ...['credit_card', 'debit_card', 'banelco_pmc', 'link_pagos', 'DEBIN', 'wire_transfer'],
  'non_banking',
];

export const paymentRequests = section('Payment requests', 'interface', {
  'POST answers 201 with the pending request': async (world) => {
    const soon = new Date(Date.now() + 300 * 86_400_000).toISOString().slice(0, 10);
    const first_due_date = soon.split('-').reverse().join('-');
    const answer = await create(world, { first_due_date });
    expectStatus(answer, 201);
    const body = expectMembers(answer.body, {
      ...{ id: 'integer', type: 'text', state: 'text', created_at: 'date-time' },
      ...{ first_due_date: 'date-time', first_total: 'number', barcode: 'text' },
      ...{ checkout_url: 'url', barcode_url: 'url', pdf_url: 'url' },
    });
    world.setToday(String(body.created_at));
    expectEqual(body.type, 'payment_request', 'type');
    expectEqual(body.state, 'pending', 'state');
    expectEqual(body.first_total, 1430.5, 'first_total');
    expectEqual(String(body.first_due_date).slice(0, 10), soon, 'the day of first_due_date');
    expectEqual(/^\d+$/.test(String(body.barcode)), true, 'barcode of digits');
  },
  'POST returns the sent fields unchanged': async (world) => {
    const sent = optional(world);
    const answer = await create(world, { ...sent, second_due_date: world.day(25) });
    expectStatus(answer, 201);
    const body = expectMembers(answer.body, { second_due_date: 'date-time' });
    const wanted = { ...fieldsOf(world), ...sent };
    for (const [name, value] of Object.entries(wanted)) {
      if (name !== 'first_due_date') expectEqual(body[name], value, name);
    }
  },
  'GET returns id, state and first_total': async (world) => {
    const { id } = await created(world);
    const answer = await world.call('GET', `${path}/${id}`);
    expectStatus(answer, 200);
    const kinds = { id: 'integer', state: 'text', first_total: 'number' } as const;
    const body = expectMembers(answer.body, kinds);
    expectEqual([body.id, body.state, body.first_total], [id, 'pending', 1430.5], 'the request');
  },
  'GET accepts detail_retentions': async (world) => {
    const { id } = await created(world);
    expectStatus(await world.call('GET', `${path}/${id}?detail_retentions=true`), 200);
  },
  'a request without a required field is refused': async (world) => {
    for (const name of ['description', 'first_due_date', 'first_total', 'payer_name']) {
      await refuses(world, { [name]: undefined }, `a request without ${name}`);
    }
    expectRefused(
      await world.call('POST', path, { body: fieldsOf(world) }),
      'a body without payment_request',
    );
  },
  'texts may reach their maximum length, and not exceed it': async (world) => {
    for (const [name, length] of Object.entries(limits)) {
      await created(world, { [name]: 'ñ'.repeat(length) });
      await refuses(world, { [name]: 'ñ'.repeat(length + 1) }, `${name} of ${length + 1}`);
    }
    const item = (length: number) => ({ items: [{ description: 'x'.repeat(length), amount: 1 }] });
    await created(world, item(255));
    await refuses(world, item(256), 'description of an item of 256');
  },
  'amounts have up to 8 integer digits and 2 decimals': async (world) => {
    for (const first_total of [0.01, 99_999_999.99]) {
      expectEqual((await created(world, { first_total })).first_total, first_total, 'first_total');
    }
    for (const first_total of [100_000_000, 10.123, 'much']) {
      await refuses(world, { first_total }, `first_total ${first_total}`);
    }
  },
  'a due date that is not a real day as dd-mm-yyyy is refused': async (world) => {
    const iso = world.day(20).split('-').reverse().join('-');
    for (const first_due_date of [iso, '31-02-2031', 'tomorrow']) {
      await refuses(world, { first_due_date }, `first_due_date ${first_due_date}`);
    }
  },
  'each listed channel can be excluded, and no other': async (world) => {
    for (const channel of channels) await created(world, { excluded_channels: [channel] });
    await refuses(world, { excluded_channels: ['barter'] }, 'the channel barter');
  },
  'an amount has card plans with installments, and their codes can be excluded': async (world) => {
    const answer = await world.call('GET', '/helper/channel-installments/1430.50');
    expectStatus(answer, 200);
    const plans = expectItems(answer.body, { name: 'text', code: 'text', installments: 'list' });
    for (const { installments } of plans) {
      const kinds = {
        installments: 'integer',
        description: 'text',
        total_amount: 'number',
      } as const;
      expectItems(installments, kinds);
    }
    const codes = plans.map(({ code }) => code);
    const body = await created(world, { excluded_card_brands: codes.slice(0, 1) });
    expectEqual(body.excluded_card_brands, codes.slice(0, 1), 'excluded_card_brands');
  },
});
