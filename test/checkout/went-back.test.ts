import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService, type TestService } from '../harness/service.ts';
import { readPdf } from '../payment-requests/documents/readers.ts';
import { dayIn, type Player, playerOf } from '../scenarios/play.ts';
import { create, open, read } from './payer.ts';

// Covers pages of a paid request, one of whose payments was refunded or charged back.

let service: TestService;
let player: Player;
beforeAll(async () => {
  service = await startService({ ROLES: 'payments,web' });
  player = playerOf(service);
});
afterAll(() => service.stop());

const pagesOf = async (path: string) => {
  const { origin } = service;
  const answer = await fetch(`${origin}${path}/receipt.pdf`);
  const pdf = await readPdf(Buffer.from(await answer.arrayBuffer()));
  // Amounts have a no-break space.
  const plain = (text: string) => text.replaceAll('\u00a0', ' ');
  return {
    paid: plain((await open(origin, path)).html),
    receipt: plain((await open(origin, `${path}/receipt`)).html),
    pdf: plain(pdf.map(({ text }) => text).join('\n')),
  };
};
const lastResult = async (id: number): Promise<number> =>
  (await player.get(id)).request_result.at(-1).id;

test.each(['refund', 'chargeback'] as const)(
  'shows the remaining payment after the %s of a later one',
  async (how) => {
    const made = await create(service);
    await player.pay(made.id, { channel: 'credit_card' });
    await player.pay(made.id, { channel: 'non_banking' });
    await player[how](made.id, { result_id: await lastResult(made.id) });
    const {
      state,
      holder_data,
      request_result_id: shown,
      request_result,
    } = await read(service, made);
    expect([state, shown]).toEqual(['paid', request_result[0].id]);
    expect(holder_data.holder_email).toBe(request_result[0].payment_metadata.holder_email);
    const { receipt, pdf } = await pagesOf(made.path);
    for (const text of [receipt, pdf]) {
      expect(text).toContain('Visa');
      expect(text).not.toContain('Pagado del cobro');
    }
  },
);

test('shows a request as paid after a late second payment of a higher amount is refunded', async () => {
  const made = await create(service, {
    first_total: 100,
    second_due_date: dayIn(service, 20),
    second_total: 110,
  });
  await player.pay(made.id);
  await player.move({ days: 12 });
  expect((await player.pay(made.id, { amount: 110 })).status).toBe(200);
  // Both payments count until the refund: 100 were due when the first arrived.
  expect((await pagesOf(made.path)).paid).toContain('$ 110,00 de más');
  await player.refund(made.id, { result_id: await lastResult(made.id) });
  const { paid, receipt, pdf } = await pagesOf(made.path);
  expect(paid).toContain('Este cobro ya está pagado');
  expect(paid).not.toContain('Se pagó una parte');
  for (const text of [receipt, pdf]) expect(text).not.toContain('Pagado del cobro');
});

test('asks for the amount due on the last payment’s day while the payments do not reach it', async () => {
  const made = await create(service, {
    first_total: 100,
    second_due_date: dayIn(service, 20),
    second_total: 110,
  });
  await player.pay(made.id, { channel: 'non_banking', amount: 60 });
  await player.move({ days: 12 });
  await player.pay(made.id, { channel: 'non_banking', amount: 40 });
  const { paid } = await pagesOf(made.path);
  expect(paid).toContain('Se pagó una parte');
  expect(paid).toContain('$ 110,00');
});
