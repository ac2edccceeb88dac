import { expect } from 'vitest';
import { createCardDebit, createDebit } from '../harness/builders/debits.ts';
import { signedAdhesion } from '../harness/builders/mandates.ts';
import { batchOf } from '../harness/builders/qrs.ts';
import { wallsOf } from '../harness/builders/static-qrs.ts';

import type { Desk } from './desk.ts';

/** Runs each writing call once; it leaves at least one event. */
export const calls: Record<string, (desk: Desk) => Promise<unknown>> = {
  'POST /payment-request': ({ player }) => player.create(),
  'PUT /payment-request/{id}/cancel': async ({ called, player }) =>
    called('PUT', `/payment-request/${await player.create()}/cancel`),
  'POST /adhesion': ({ unsigned }) => unsigned(),
  'PUT /adhesion/{id}/cancel': async ({ called, unsigned }) =>
    called('PUT', `/adhesion/${await unsigned()}/cancel`),
  'POST /card-adhesion': ({ cardMandate }) => cardMandate(),
  'PUT /card-adhesion/{id}/cancel': async ({ called, cardMandate }) =>
    called('PUT', `/card-adhesion/${await cardMandate()}/cancel`),
  'POST /debit-request': async ({ service }) => createDebit(service, await signedAdhesion(service)),
  'PUT /debit-request/{id}/cancel': async ({ service, called }) => {
    const { id } = (await createDebit(service, await signedAdhesion(service))).body;
    return called('PUT', `/debit-request/${id}/cancel`);
  },
  'POST /card-debit-request': async ({ service, cardMandate }) =>
    createCardDebit(service, await cardMandate()),
  'PUT /card-debit-request/{id}/cancel': async ({ service, called, cardMandate }) => {
    const { id } = (await createCardDebit(service, await cardMandate())).body;
    return called('PUT', `/card-debit-request/${id}/cancel`);
  },
  'POST /webhook': ({ webhook }) => webhook(),
  'PUT /webhook/{id}': async ({ called, webhook }) =>
    called('PUT', `/webhook/${await webhook()}`, { webhook: { event_types: ['*'] } }),
  'DELETE /webhook/{id}': async ({ called, webhook }) =>
    called('DELETE', `/webhook/${await webhook()}`),
  'POST /webhook/{id}/rotate-secret': async ({ called, webhook }) =>
    called('POST', `/webhook/${await webhook()}/rotate-secret`),
  'POST /sandbox/pay/{request_id}': ({ paid }) => paid(),
  'POST /sandbox/chargeback/{request_id}': async ({ player, paid }) =>
    player.chargeback(await paid()),
  'POST /sandbox/refund/{request_id}': async ({ player, paid }) => player.refund(await paid()),
  'POST /payment-request/{id}/refund': async ({ called, paid }) =>
    called('POST', `/payment-request/${await paid('credit_card')}/refund`, { refund: {} }),
  'POST /refund-qr/{qr_id}': async ({ called, qr }) => {
    const id = await qr('back');
    await called('POST', `/pay-qr/${id}`);
    return called('POST', `/refund-qr/${id}`, { refund: {} });
  },
  'POST /sandbox/clock': ({ player }) => player.move({ days: 20 }),
  'POST /save-qr-data': ({ qr }) => qr('saved'),
  'POST /edit-qr/{qr_id}': async ({ called, qr }) =>
    called('POST', `/edit-qr/${await qr('edited')}`, { first_total: 99 }),
  'POST /batch-edit-qr': async ({ called, qr }) => {
    const id = await qr('edited2');
    return called('POST', '/batch-edit-qr', batchOf([{ id, first_total: 98 }]));
  },
  'DELETE /delete-qr/{qr_id}': async ({ called, qr }) =>
    called('DELETE', `/delete-qr/${await qr('gone')}`),
  'DELETE /batch-delete-qr': async ({ called, qr }) =>
    called('DELETE', '/batch-delete-qr', batchOf([await qr('gone2')])),
  'POST /pay-qr/{qr_id}': async ({ called, qr }) => called('POST', `/pay-qr/${await qr('paid')}`),
  'GET /bucket-url': ({ called }) => called('GET', '/bucket-url'),
  'POST /create-qr': ({ service }) => wallsOf(service).create({ id: 'WALL' }),
  'PUT /new-transaction': async ({ service }) => {
    const walls = wallsOf(service);
    return walls.asked((await walls.create({ id: 'ASKED' })).qr_string);
  },
  'POST /pay-qr-static/{qr_id}': async ({ service }) => {
    const walls = wallsOf(service);
    const { body, status } = await walls.pay(
      await walls.asked((await walls.create({ id: 'PAID' })).qr_string),
    );
    expect(status).toBeLessThan(300);
    return body;
  },
};

/** Calls that change no fact, or that another call covers, with the reason. */
export const quietCalls: Record<string, string> = {
  'POST /debit-request/{id}/refund': 'the same verb as for a payment request: test/money/refunds',
  'POST /card-debit-request/{id}/refund': 'the same',
  'POST /validator/next-business-day': 'reads',
  'GET /card-adhesion/public-key': 'the key of a month is made by the system: see what time does',
  'POST /event/{id}/resend': 'queues a delivery, which is kept itself',
};
