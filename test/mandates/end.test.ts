import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isoDateTime, midnightOf } from '../../src/kernel/dates.ts';
import { payer } from '../../src/platform/actor.ts';
import { anotherAccount } from '../harness/builders/accounts.ts';
import { advance } from '../harness/builders/clock.ts';
import { createCardDebit, createDebit, getDebit, handOver } from '../harness/builders/debits.ts';
import {
  adhesionBody,
  cardAdhesionBody,
  getAdhesion,
  signedAdhesion,
  signedCardAdhesion,
} from '../harness/builders/mandates.ts';
import { expectError } from '../harness/errors.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { withoutWorker } from '../scenarios/play.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService(withoutWorker);
});
afterAll(() => service.stop());

const cancel = (path: string, id: number, options = {}) =>
  service.call('PUT', `${path}/${id}/cancel`, options);

const eventsOf = async (entity: string, id: number) =>
  await service.sql<{ version: number; type: string; actor: string; queued: boolean }[]>`
    select e.version, e.type, e.actor, o.event_id is not null as queued
    from events e left join outbox o on o.account_id = e.account_id and o.event_id = e.id
    where e.entity = ${entity} and e.entity_id = ${String(id)} order by e.version`;

describe('cancel', () => {
  test.each([
    ['/adhesion', adhesionBody, 'adhesion'],
    ['/card-adhesion', cardAdhesionBody, 'card_adhesion'],
  ])(
    'cancels a mandate at %s with time and reason, and accepts a repeated call',
    async (path, bodyOf, entity) => {
      const { body } = await service.call('POST', path, { body: bodyOf() });
      const first = await cancel(path, body.id);
      expect(first.status).toBe(200);
      expect(first.body).toEqual({
        ...body,
        state: 'canceled',
        signed_at: expect.any(String),
        canceled_at: expect.any(String),
        state_comment: 'Canceled by the collector.',
      });
      for (const options of [{}, { body: '{}' }, { body: '[]' }]) {
        expect((await cancel(path, body.id, options)).text).toBe(first.text);
      }
      expect(await eventsOf(entity, body.id)).toEqual([
        { version: 1, type: `${entity}.created`, actor: expect.any(String), queued: false },
        { version: 2, type: `${entity}.signed`, actor: 'payer', queued: true },
        { version: 3, type: `${entity}.canceled`, actor: expect.any(String), queued: true },
      ]);
    },
  );

  test('requires a key that may write', async () => {
    const id = await signedAdhesion(service);
    expectError(await cancel('/adhesion', id, { key: null }), 401);
    const reader = (await anotherAccount(service, ['read'])).key;
    expectError(await cancel('/adhesion', id, { key: reader }), 403);
    expect((await getAdhesion(service, id)).state).toBe('signed');
  });

  test('cancels a mandate’s pending debits, and keeps those in process', async () => {
    const id = await signedAdhesion(service);
    const early = await createDebit(service, id);
    await handOver(service, early.body.id);
    const late = await Promise.all([1, 2, 3].map(() => createDebit(service, id)));
    await cancel('/adhesion', id);
    expect((await getDebit(service, early.body.id)).state).toBe('in_process');
    for (const { body } of late) {
      expect(await getDebit(service, body.id)).toMatchObject({
        state: 'canceled',
        state_comment: 'Canceled by the collector.',
        adhesion: { state: 'canceled' },
      });
      expect((await eventsOf('debit_request', body.id)).map(({ type }) => type)).toEqual([
        'debit_request.created',
        'debit_request.canceled',
      ]);
    }
    await advance(service, { days: 30 });
    expect((await getDebit(service, early.body.id)).state).toBe('paid');
    expect((await getDebit(service, late[0]?.body.id)).state).toBe('canceled');
  });

  test('cancels a card mandate’s card debits, and no bank debits', async () => {
    const card = await signedCardAdhesion(service);
    const bank = await signedAdhesion(service);
    const onCard = await createCardDebit(service, card);
    const onBank = await createDebit(service, bank);
    await cancel('/card-adhesion', card);
    expect((await service.call('GET', `/card-debit-request/${onCard.body.id}`)).body).toMatchObject(
      {
        state: 'canceled',
        card_adhesion: { state: 'canceled' },
      },
    );
    expect((await getDebit(service, onBank.body.id)).state).toBe('pending');
  });

  test('leaves no concurrently created debit pending, in either order', async () => {
    for (let round = 0; round < 5; round += 1) {
      const id = await signedAdhesion(service);
      const [ended, ...made] = await Promise.all([
        cancel('/adhesion', id),
        ...Array.from({ length: 8 }, () => createDebit(service, id)),
        cancel('/adhesion', id),
      ]);
      expect(ended?.status).toBe(200);
      for (const answer of made) expect([200, 201, 409]).toContain(answer.status);
      const [left] = await service.sql<{ count: number }[]>`
        select count(*)::int as count from requests
        where mandate_id = ${id} and kind = 'debit_request' and state <> 'canceled'`;
      expect(left?.count).toBe(0);
      const seen = await eventsOf('adhesion', id);
      expect(seen.filter(({ type }) => type === 'adhesion.canceled')).toHaveLength(1);
    }
  });

  test('leaves every debit either in process or canceled when cancellation races with submission', async () => {
    const id = await signedAdhesion(service);
    const debits = await Promise.all(Array.from({ length: 20 }, () => createDebit(service, id)));
    const { parts } = service.service;
    const [due] = await service.sql<{ on: Temporal.PlainDate }[]>`
      select submit_on as on from debit_runs where request_id = ${debits[0]?.body.id}`;
    await parts.clocks.moveTo(Temporal.Instant.from(`${due?.on}T03:00:00Z`));
    const [answer] = await Promise.all([
      cancel('/adhesion', id),
      parts.debits.sweep.run(parts.clocks.business.now()),
      parts.debits.sweep.run(parts.clocks.business.now()),
    ]);
    expect(answer.status).toBe(200);
    const rows = await service.sql<{ state: string; run: string; versions: number }[]>`
      select r.state, d.state as run, r.version as versions from requests r
      join debit_runs d on d.account_id = r.account_id and d.request_id = r.id
      where r.mandate_id = ${id} and r.kind = 'debit_request'`;
    for (const { state, run, versions } of rows) {
      expect([`in_process submitted`, `canceled done`, `canceled waiting`]).toContain(
        `${state} ${run}`,
      );
      expect(versions).toBe(2);
    }
  });
});

describe('an unsigned mandate', () => {
  test('cancels an unsigned mandate at the end of the seventh day, not before', async () => {
    const { body } = await service.call('POST', '/adhesion', {
      body: adhesionBody({ email: 'ana+nosign@example.com' }),
    });
    const today = service.service.parts.clocks.business.today();
    const end = midnightOf(today.add({ days: 8 }));
    await advance(service, { advance_to: isoDateTime(end.subtract({ minutes: 5 })) });
    expect((await getAdhesion(service, body.id)).state).toBe('pending_to_sign');
    const moved = await advance(service, { advance_to: isoDateTime(end) });
    expect(moved.body.happened).toContainEqual({ what: 'mandates canceled unsigned', count: 1 });
    expect(await getAdhesion(service, body.id)).toMatchObject({
      state: 'canceled',
      state_comment: 'Not signed within 7 days.',
    });
    expect((await eventsOf('adhesion', body.id)).at(-1)).toMatchObject({ actor: 'system' });
  });

  test('is canceled even if the cancellation of another fails', async () => {
    const { sql } = service;
    const email = 'ana+nosign@example.com';
    const make = async (): Promise<number> =>
      (await service.call('POST', '/adhesion', { body: adhesionBody({ email }) })).body.id;
    const [broken, sound] = [await make(), await make()];
    await sql.unsafe(`
      create function refuse_end() returns trigger language plpgsql as
        $$ begin raise exception 'broken'; end $$;
      create trigger refuse_end before update on mandates for each row
        when (old.id = ${broken} and old.kind = 'adhesion') execute function refuse_end()`);
    expect((await advance(service, { days: 9 })).status).toBe(500);
    expect((await getAdhesion(service, sound)).state).toBe('canceled');
    expect((await getAdhesion(service, broken)).state).toBe('pending_to_sign');
    await sql.unsafe('drop trigger refuse_end on mandates; drop function refuse_end');
    await advance(service, { minutes: 0 });
    expect((await getAdhesion(service, broken)).state).toBe('canceled');
  });

  test('rejects a late signature, even before a sweep', async () => {
    const { parts } = service.service;
    const { body } = await service.call('POST', '/adhesion', {
      body: adhesionBody({ email: 'ana+nosign@example.com' }),
    });
    const now = parts.clocks.business.now();
    await service.sql`update mandates set sign_before = ${now}::timestamptz where id = ${body.id}`;
    const key = { accountId: 'A1B2C3D4', kind: 'adhesion', id: body.id } as const;
    const signer = { key, actor: payer, address: '::1', userAgent: 'x', text: 'y' };
    const { done, row } = await parts.mandates.answer.sign(signer);
    expect([done, row?.state]).toEqual([false, 'pending_to_sign']);
  });

  test('accepts and records one answer when a mandate is signed and declined at once', async () => {
    const { parts } = service.service;
    for (let round = 0; round < 5; round += 1) {
      const { body } = await service.call('POST', '/adhesion', {
        body: adhesionBody({ email: 'ana+nosign@example.com' }),
      });
      const key = { accountId: 'A1B2C3D4', kind: 'adhesion', id: body.id } as const;
      const signer = { key, actor: payer, address: '::1', userAgent: 'x', text: 'y' };
      const answers = await Promise.all([
        parts.mandates.answer.sign(signer),
        parts.mandates.answer.decline(signer),
        parts.mandates.answer.sign(signer),
        parts.mandates.answer.decline(signer),
      ]);
      expect(answers.filter(({ done }) => done)).toHaveLength(1);
      const seen = await eventsOf('adhesion', body.id);
      expect(seen.map(({ version }) => version)).toEqual([1, 2]);
    }
  });
});

test('sends no signing e-mail for an inactive account', async () => {
  const email = 'ana+nosign@example.com';
  const { body } = await service.call('POST', '/adhesion', { body: adhesionBody({ email }) });
  const key = { accountId: testAccount, kind: 'adhesion', id: body.id } as const;
  const remind = () => service.service.parts.mandates.remind({ key, newLink: false, actor: payer });
  const set = (state: string) =>
    service.sql`update accounts set state = ${state} where id = ${testAccount}`;
  for (const [state, errorCode] of [
    ['suspended', 'account_suspended'],
    ['closed', 'account.closed'],
  ] as const) {
    await set(state);
    await expect(remind()).rejects.toMatchObject({ errorCode });
  }
  await set('active');
  expect((await remind()).recipient).toBe(email);
});
