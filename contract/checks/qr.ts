import { Breach, expectMembers, expectRefused, expectStatus } from '../api.ts';
import { section, type World } from '../check.ts';

/** The interface leaves the members of an item open; these are Recaudo's. */
const itemOf = (world: World, name: string, more: Record<string, unknown> = {}) => ({
  id: idOf(world, name),
  city: 'Rosario',
  multiple_payment: false,
  external_reference: `contract ${name}`,
  description: 'Contract: cuota',
  first_total: 1430.5,
  first_due_date: world.day(20),
  payer_name: 'Ana Pérez',
  ...more,
});
const idOf = (world: World, name: string): string => `${world.run}-${name}`;

const batchOf = (data: unknown[]) => ({ total_count: data.length, data });

const save = async (world: World, ...names: string[]): Promise<void> => {
  const body = batchOf(names.map((name) => itemOf(world, name)));
  expectStatus(await world.qr('POST', '/save-qr-data', { body }), 201);
};

const textIn = (body: unknown, name: string): string =>
  String(expectMembers(body, { [name]: 'text' })[name]);

const untilReadMs = 30_000;

export const qr = section('QR', 'interface', {
  'QRs are saved in a batch and read': async (world) => {
    await save(world, 'A1', 'A2', 'A3', 'A4', 'A5', 'A6');
    expectStatus(await world.qr('GET', `/status/${idOf(world, 'A1')}`), 200);
  },
  'one QR is edited, and a batch': async (world) => {
    const one = batchOf([itemOf(world, 'A1', { first_total: 1600 })]);
    const path = `/edit-qr/${idOf(world, 'A1')}`;
    expectStatus(await world.qr('POST', path, { body: one }), 200);
    const body = batchOf([itemOf(world, 'A2', { description: 'Otra' }), itemOf(world, 'A3')]);
    expectStatus(await world.qr('POST', '/batch-edit-qr', { body }), 200);
  },
  'a QR is paid by simulation': async (world) => {
    expectStatus(await world.qr('POST', `/pay-qr/${idOf(world, 'A1')}`), 200);
  },
  'one QR is deleted, and a batch': async (world) => {
    const [one, ...many] = ['A4', 'A5', 'A6'].map((name) => idOf(world, name));
    const path = `/delete-qr/${one}`;
    expectStatus(await world.qr('DELETE', path, { body: batchOf([one]) }), 200);
    expectStatus(await world.qr('DELETE', '/batch-delete-qr', { body: batchOf(many) }), 200);
  },
  'a batch of more than 10000 items is refused': async (world) => {
    const items = Array.from({ length: 10_001 }, (_, place) => itemOf(world, `L${place}`));
    const answer = await world.qr('POST', '/save-qr-data', { body: batchOf(items) });
    expectRefused(answer, 'a batch of 10001');
  },
  'an uploaded file creates its QRs, and its result is read by page': async (world) => {
    const asked = await world.qr('GET', '/bucket-url');
    expectStatus(asked, 200);
    const [id, url] = [textIn(asked.body, 'id'), textIn(asked.body, 'url')];
    const body = JSON.stringify(batchOf([itemOf(world, 'U1'), itemOf(world, 'U2')]));
    const upload = await fetch(url, { method: 'PUT', body });
    if (!upload.ok) throw new Breach(`the upload is answered with status ${upload.status}`);
    const until = performance.now() + untilReadMs;
    for (;;) {
      expectStatus(await world.qr('GET', `/batch-result/${id}/1`), 200);
      const { status } = await world.qr('GET', `/status/${idOf(world, 'U2')}`);
      if (status === 200) return;
      if (performance.now() > until) throw new Breach('its QRs do not exist after 30 s');
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
  },
  'a static QR is created, read, given an amount and paid': async (world) => {
    const id = idOf(world, 'S1');
    const texts = { id, qr_name: 'Caja', city: 'Rosario', postal_code: '2000' };
    const body = {
      ...{ ...texts, qr_type: 'static_closed_amount', multiple_payment: 'true' },
      ...{ description: 'Contract: caja', payer_name: 'Kiosco Ana' },
    };
    const made = await world.qr('POST', '/create-qr', { body });
    expectStatus(made, 201);
    expectStatus(await world.qr('GET', `/status-static/${id}`), 200);
    const data = encodeURIComponent(textIn(made.body, 'qr_string'));
    const sale = { first_total: 150.5, active_period: 5, external_reference: 'ticket 7' };
    expectStatus(await world.qr('PUT', `/new-transaction?data=${data}`, { body: sale }), 200);
    expectStatus(await world.qr('POST', `/pay-qr-static/${id}`), 200);
  },
});
