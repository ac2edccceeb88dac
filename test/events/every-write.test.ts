import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { commandTree, leavesOf } from '../../src/cli/tree.ts';
import { readActivity } from '../../src/events/http.ts';
import { formatDay } from '../../src/kernel/dates.ts';
import { readActor } from '../../src/platform/actor.ts';
import { typesOf } from '../../src/portal/activity/types.ts';
import { createDebit } from '../harness/builders/debits.ts';
import { signedAdhesion } from '../harness/builders/mandates.ts';
import { testAccount } from '../harness/service.ts';
import { fixtures } from '../operations/fixtures.ts';

import { cbuOf, type Desk, openDesk } from './desk.ts';
import { calls, quietCalls } from './writing-calls.ts';
import { commands, quietCommands } from './writing-commands.ts';

// Most commands are processes, which are slow on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 240_000 });

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk();
  await desk.run('accounts', 'set', testAccount, '--cbu', cbuOf);
});
afterAll(() => desk.close());

const routes = async (): Promise<string[]> => {
  const document = (await desk.service.call('GET', '/openapi.json', { key: null })).body;
  return Object.entries<Record<string, unknown>>(document.paths).flatMap(([route, item]) =>
    Object.keys(item).map((method) => `${method.toUpperCase()} ${route}`),
  );
};
const known = [...Object.keys(calls), ...Object.keys(quietCalls)];
const reads = (route: string): boolean => route.startsWith('GET ');

test('lists each writing call of the APIs and each command', async () => {
  const all = await routes();
  expect(all).toEqual(expect.arrayContaining(known));
  expect(known.filter((route) => !reads(route)).sort()).toEqual(
    all.filter((route) => !reads(route)).sort(),
  );
  type Node = ReturnType<typeof leavesOf>[number];
  const nameOf = (command: Node): string =>
    command.parent?.parent ? `${nameOf(command.parent)} ${command.name()}` : command.name();
  const leaves = leavesOf(await commandTree()).map(nameOf);
  const declared = Object.values(fixtures).flatMap(({ command = [] }) => command);
  const listed = [...Object.keys(commands), ...Object.keys(quietCommands), ...declared];
  expect(listed.sort()).toEqual(leaves.sort());
});

test('changes no table and writes no event for a GET, with listed exceptions', async () => {
  const id = String(await desk.paid());
  const values: Record<string, string> = { id, request_id: id, amount: '100', page: '1' };
  const { clocks } = desk.service.service.parts;
  const { untold, actors } = await desk.watch(async () => {
    for (const route of (await routes()).filter((one) => reads(one) && !known.includes(one))) {
      const target = route
        .slice('GET '.length)
        .replace('{date}', formatDay(clocks.business.today()))
        .replace(/{(\w+)}/g, (_all, name: string) => values[name] ?? 'none');
      const { status } = await desk.service.call('GET', target);
      expect(status, route).toBeLessThan(500);
    }
  });
  expect([untold, actors]).toEqual([[], []]);
});

test.each(Object.entries(calls))(
  '%s writes an event per transaction, with its caller',
  async (_, act) => {
    const { untold, actors } = await desk.watch(() => act(desk));
    expect(untold).toEqual([]);
    expect(actors.map((text) => readActor(text).kind)).toContain('key');
  },
);

/** Calls that change something that exists. The activity log leaves out payments. */
const changes = Object.entries(calls).filter(
  ([route]) => /[{]|batch/.test(route) && !/sandbox|pay-qr/.test(route),
);

/** Returns the latest acts of keys in the account's activity log. */
async function actsOfKeys(): Promise<{ id: number; type: string }[]> {
  const filters = {
    ...{ accountId: testAccount, people: [], types: typesOf(null) },
    ...{ author: null, from: null, before: null },
  };
  const page = { behind: null, limit: 50 };
  const { events } = await readActivity(desk.service.sql, filters, page);
  return events.filter(({ actor }) => readActor(actor).kind === 'key');
}

test.each(changes)('%s is in the activity log of its account', async (_, act) => {
  // A refund needs a balance.
  await desk.paid();
  const known = new Set((await actsOfKeys()).map(({ id }) => id));
  await act(desk);
  const types = (await actsOfKeys()).filter(({ id }) => !known.has(id)).map(({ type }) => type);
  expect(types.filter((type) => !type.endsWith('.created'))).not.toEqual([]);
});

test.each(Object.entries(commands))(
  '%s writes an event per transaction, with its operator',
  async (_, act) => {
    const { untold, actors } = await desk.watch(() => act(desk));
    expect(untold).toEqual([]);
    const kinds = actors.map((text) => readActor(text).kind);
    expect(kinds).toContain('operator');
  },
);

test('writes events for changes that happen as the clock moves, such as debit runs', async () => {
  const { untold, actors } = await desk.watch(async () => {
    await createDebit(desk.service, await signedAdhesion(desk.service));
    await desk.called('GET', '/card-adhesion/public-key');
    await desk.player.move({ days: 60 });
  });
  expect(untold).toEqual([]);
  expect(actors.map((text) => readActor(text).kind)).toContain('system');
});
