import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatDay } from '../../src/kernel/dates.ts';
import { anotherAccount } from '../harness/builders/accounts.ts';
import { todayOf } from '../harness/builders/clock.ts';
import { adhesionBody, cardAdhesionBody } from '../harness/builders/mandates.ts';
import { expectError } from '../harness/errors.ts';
import { startService, type TestService } from '../harness/service.ts';
import { withoutWorker } from '../scenarios/play.ts';

let service: TestService;
let otherKey: string;
let firstDay: string;
let secondDay: string;
beforeAll(async () => {
  service = await startService(withoutWorker);
  otherKey = (await anotherAccount(service)).key;
});
afterAll(() => service.stop());

describe.each([
  ['/adhesion', adhesionBody],
  ['/card-adhesion', cardAdhesionBody],
])('GET %s', (path, bodyOf) => {
  const ids: number[] = [];
  const create = async (fields: Record<string, unknown>, key?: string): Promise<number> => {
    const options = { body: bodyOf(fields), ...(key !== undefined && { key }) };
    const answer = await service.call('POST', path, options);
    expect(answer.status, answer.text).toBe(201);
    return answer.body.id;
  };
  beforeAll(async () => {
    await create({ external_reference: 'r-1', adhesion_holder_name: 'Ana 1' }, otherKey);
    firstDay = formatDay(todayOf(service));
    for (let n = 0; n < 12; n += 1) {
      ids.push(
        await create({
          external_reference: `r-${n % 4}`,
          adhesion_holder_name: `Ana ${n % 3}`,
          email: n % 2 === 0 ? 'ana@example.com' : 'ana+nosign@example.com',
        }),
      );
    }
    const { clocks } = service.service.parts;
    await clocks.moveTo(clocks.business.now().add({ hours: 48 }));
    secondDay = formatDay(todayOf(service));
    ids.push(await create({ external_reference: 'r-ñ &=/?#"', adhesion_holder_name: 'Luz' }));
    await service.call('PUT', `${path}/${ids[0]}/cancel`);
  });

  const list = (query: Record<string, string | number>, key?: string) => {
    const pairs = Object.entries(query).map(([name, value]) => [name, `${value}`]);
    const options = key === undefined ? {} : { key };
    return service.call('GET', `${path}?${new URLSearchParams(pairs)}`, options);
  };
  const idsOf = async (query: Record<string, string | number>): Promise<number[]> => {
    const { status, text, body } = await list(query);
    expect(status, text).toBe(200);
    return body.data.map((row: { id: number }) => row.id);
  };
  const where = (keep: (n: number) => boolean): number[] => ids.filter((_id, n) => keep(n));

  test('lists rows in id order, each as its GET returns it', async () => {
    const { body } = await list({ page: 2, limit: 5 });
    expect(body).toMatchObject({ current_page: 2, items_per_page: 5, total_count: 13 });
    expect(body.data.map((row: { id: number }) => row.id)).toEqual(ids.slice(5, 10));
    const got = await service.call('GET', `${path}/${ids[5]}`);
    expect(body.data[0]).toEqual(got.body);
  });

  test('continues after an id, without a count', async () => {
    const { body } = await list({ after: ids[9] as number });
    expect(Object.keys(body)).toEqual(['items_per_page', 'data']);
    expect(body.data.map((row: { id: number }) => row.id)).toEqual(ids.slice(10));
  });

  test('filters by id, state, reference, holder (regardless of case and accents) and days', async () => {
    expect(await idsOf({ id: ids[3] as number })).toEqual([ids[3]]);
    expect(await idsOf({ state: 'canceled' })).toEqual([ids[0]]);
    expect(await idsOf({ state: 'PENDING_TO_SIGN' })).toEqual(where((n) => n < 12 && n % 2 === 1));
    expect(await idsOf({ state: 'signed' })).toEqual(where((n) => n > 0 && n % 2 === 0));
    expect(await idsOf({ external_reference: 'r-1' })).toEqual(where((n) => n < 12 && n % 4 === 1));
    expect(await idsOf({ external_reference: 'r-ñ &=/?#"' })).toEqual([ids[12]]);
    expect(await idsOf({ external_reference: "r-1' or '1'='1" })).toEqual([]);
    expect(await idsOf({ adhesion_holder_name: 'Ana 2', state: 'signed' })).toEqual(
      where((n) => n > 0 && n < 12 && n % 3 === 2 && n % 2 === 0),
    );
    expect(await idsOf({ adhesion_holder_name: 'LÚZ'.normalize('NFD') })).toEqual([ids[12]]);
    expect(await idsOf({ created_at_lte: firstDay })).toEqual(ids.slice(0, 12));
    expect(await idsOf({ created_at_gte: secondDay })).toEqual([ids[12]]);
    expect(await idsOf({ created_at_gte: firstDay, created_at_lte: secondDay })).toEqual(ids);
  });

  test('answers 400 for each fault of its query, and 401 for an unknown key', async () => {
    const bad = [
      { state: 'paid' },
      { page: 0 },
      { limit: 101 },
      { after: 1, page: 1 },
      { id: -1 },
      { created_at_gte: '31-02-2026' },
      { adhesion_holder_name: 'a'.repeat(51) },
    ];
    for (const query of bad) expectError(await list(query as Record<string, number>), 400);
    expectError(await list({}, 'no-such-key-0123456789'), 401);
  });

  test('hides other accounts’ mandates', async () => {
    const { body } = await list({}, otherKey);
    expect(body.data).toHaveLength(1);
    expectError(await service.call('GET', `${path}/${ids[1]}`, { key: otherKey }), 404);
    expectError(await service.call('PUT', `${path}/${ids[1]}/cancel`, { key: otherKey }), 404);
    expectError(await service.call('GET', `${path}/${body.data[0].id}`), 404);
    expectError(await service.call('GET', `${path}/99999999`), 404);
    expectError(await service.call('GET', `${path}/abc`), 400);
  });
});
