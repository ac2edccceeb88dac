import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { auditAccount } from '../../src/audit/index.ts';
import { advance } from '../harness/builders/clock.ts';
import { adhesionBody, cardAdhesionBody } from '../harness/builders/mandates.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { withoutWorker } from '../scenarios/play.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService(withoutWorker);
  await service.sql`
    create function nobody_signs() returns trigger language plpgsql as
      $$begin raise 'cut off before the signature'; end$$`;
});
afterAll(async () => {
  expect(await auditAccount(service.sql, testAccount)).toEqual([]);
  await service.stop();
});

const kinds = [
  { path: 'adhesion', bodyFor: (email: string) => adhesionBody({ email }) },
  { path: 'card-adhesion', bodyFor: (email: string) => cardAdhesionBody({ email }) },
] as const;

/** Creates a mandate like a process that crashes before the signature. */
async function cutOff({ path, bodyFor }: (typeof kinds)[number], email: string): Promise<number> {
  await service.sql`
    create trigger cut_off before update on mandates execute function nobody_signs()`;
  try {
    const { status, body } = await service.call('POST', `/${path}`, { body: bodyFor(email) });
    expect(status).toBe(201);
    return body.id;
  } finally {
    await service.sql`drop trigger cut_off on mandates`;
  }
}

describe.each(kinds)(
  'a simulated holder of $path after a crash of the creating process',
  (kind) => {
    const stateOf = async (id: number): Promise<string> =>
      (await service.call('GET', `/${kind.path}/${id}`)).body.state;
    const signed = { what: 'mandates signed by the simulator', count: 1 };

    test('signs the mandate at the next sweep, once', async () => {
      const id = await cutOff(kind, 'ana@example.com');
      expect(await stateOf(id)).toBe('pending_to_sign');
      expect((await advance(service, { minutes: 0 })).body.happened).toContainEqual(signed);
      expect(await stateOf(id)).toBe('signed');
      expect((await advance(service, { minutes: 0 })).body.happened).not.toContainEqual(signed);
    });

    test('signs the mandate before it expires, even when the clock moves past its expiry', async () => {
      const id = await cutOff(kind, 'ana@example.com');
      await advance(service, { days: 8 });
      expect(await stateOf(id)).toBe('signed');
    });

    test('lets the mandate expire if the address opts out', async () => {
      const id = await cutOff(kind, 'Ana+NoSign@example.com');
      expect((await advance(service, { minutes: 0 })).body.happened).not.toContainEqual(signed);
      expect(await stateOf(id)).toBe('pending_to_sign');
      await advance(service, { days: 8 });
      expect(await stateOf(id)).toBe('canceled');
    });
  },
);
