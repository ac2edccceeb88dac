import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { commandTree, leavesOf } from '../../src/cli/tree.ts';
import { readActor } from '../../src/platform/actor.ts';
import { recordId } from '../../src/platform/http/fields.ts';
import { type Act, isAccountAct, mayDo } from '../../src/users/index.ts';
import {
  type Arranged,
  arranged,
  byApi,
  byCommand,
  byPage,
  call,
  keyFor,
  operations,
} from './doors.ts';
import { fixtures } from './fixtures.ts';
import { type OperationRoom, openRoom, roles } from './room.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 });

let room: OperationRoom;
beforeAll(async () => {
  room = await openRoom();
});
afterAll(() => room?.close());

/** The report on a call that writes neither a fact nor an event. */
const nothing = { untold: [], actors: [] };

const mayCall = (act: string) => roles.filter((role) => mayDo(role, act as Act));

/** Returns the first role that may call, with a new idempotency key. */
const firstWay = ({ operation: { act } }: Arranged) => ({
  role: mayCall(act)[0] ?? 'owner',
  idempotencyKey: room.unique(),
});

const isId = ({ field }: Arranged['operation']['members'][string]): boolean =>
  isDeepStrictEqual(field.schema, recordId().schema);

test('has one fixture per operation, which names its command and page', async () => {
  const lacking = operations.flatMap(([key]) => (fixtures[key] ? [] : [key]));
  expect(
    lacking,
    'Add each to test/operations/fixtures.ts: its command and page, and what one legal call needs.',
  ).toEqual([]);
  const known = new Set(operations.map(([key]) => key));
  expect(Object.keys(fixtures).filter((key) => !known.has(key))).toEqual([]);
  const leaves = leavesOf(await commandTree());
  const does = new Map(
    leaves.map((one) => [`${one.parent?.name()} ${one.name()}`, one.description()]),
  );
  for (const [key, { operation, fixture }] of arranged) {
    // Some operations that share a name exist only on pages.
    if (key === operation.name) {
      expect([key, fixture.command !== undefined]).toEqual([key, operation.command !== undefined]);
    }
    if (fixture.command !== undefined) {
      expect([key, does.get(fixture.command)]).toEqual([key, operation.text('does', 'en')]);
    }
    const hasPage = operation.text('submit', 'es') !== null;
    if (fixture.page !== undefined) expect([key, hasPage]).toEqual([key, true]);
  }
});

/** Number of events of each operation, as its first test counts them. */
const events = new Map<string, number>();

test.each(arranged)(
  '%s takes effect once, leaves an event, and is safe to repeat',
  async (key, one) => {
    const { repeat } = one.operation;
    const input = await one.fixture.arrange(room);
    const way = firstWay(one);
    const first = await room.watch(async () => {
      expect(await call(room, one, input, way)).toBe('done');
    });
    events.set(key, first.actors.length);
    if (one.fixture.quiet === undefined) {
      expect(first.untold).toEqual([]);
      expect(first.actors).not.toEqual([]);
      if (one.fixture.command !== undefined) {
        expect(first.actors.map((text) => readActor(text).kind)).toContain('operator');
      }
    }
    const again = await room.watch(() => call(room, one, input, way));
    if (typeof repeat === 'string') {
      expect(again.actors).toEqual([]);
      if (one.fixture.quiet === undefined) expect(again.untold).toEqual([]);
    } else expect(repeat.again).not.toBe('');
  },
);

test.each(arranged)('%s takes effect once if it is sent twice at once', async (key, one) => {
  const input = await one.fixture.arrange(room);
  const way = firstWay(one);
  const twice = await room.watch(async () => {
    const both = [call(room, one, input, way), call(room, one, input, way)];
    expect(await Promise.all(both)).toContain('done');
  });
  if (one.fixture.quiet === undefined) expect(twice.untold).toEqual([]);
  if (typeof one.operation.repeat === 'string') {
    expect(twice.actors.length).toBe(events.get(key));
  }
});

const ofAccount = arranged.filter(
  ([
    ,
    {
      operation: { members },
    },
  ]) => 'account' in members && Object.values(members).some(isId),
);

test.each(ofAccount)('%s changes nothing in another account', async (_, one) => {
  const input = { ...(await one.fixture.arrange(room)), account: room.stranger };
  const found = await room.watch(async () => {
    if (one.fixture.command !== undefined) {
      expect(['not_found', 'refused']).toContain(await byCommand(room, one, input));
    }
    if (one.operation.api !== undefined) {
      const key = await keyFor(room, room.stranger, ['read', 'write']);
      expect(await byApi(room, one, input, { key })).toBe('not_found');
    }
  });
  const made = one.operation.api ? ['api_key'] : [];
  expect(found.untold).toEqual([]);
  expect(found.actors.length).toBe(made.length);
});

const withPage = arranged.filter(([, { fixture }]) => fixture.page !== undefined);

test.each(withPage)(
  '%s is limited in the portal to the roles that may perform it',
  async (_, one) => {
    const { act } = one.operation;
    const input = await one.fixture.arrange(room);
    const found = await room.watch(async () => {
      for (const role of roles) {
        if (mayDo(role, act as Act)) continue;
        const serves = role.startsWith('operator');
        const refused = isAccountAct(act as Act) === serves ? 'not_found' : 'forbidden';
        expect([role, await byPage(room, one, input, role)]).toEqual([role, refused]);
      }
    });
    expect(found).toEqual(nothing);
    const [role = 'owner'] = mayCall(act);
    expect(await byPage(room, one, input, role)).toBe('done');
  },
);

const named = arranged.filter(([, { fixture }]) => fixture.named);

test.each(named)('%s requires a permitted operator in a command', async (_, one) => {
  const input = await one.fixture.arrange(room);
  const { operator_read_only: reader, owner } = room.offices;
  const found = await room.watch(async () => {
    for (const { email } of [reader, owner]) {
      expect(await byCommand(room, one, input, email)).not.toBe('done');
    }
    // Proposers cannot decide on their own proposals.
    if (one.operation.name === 'proposal.approve') {
      expect(await byCommand(room, one, input, room.proposers.operator.email)).toBe('forbidden');
    }
  });
  expect(found).toEqual(nothing);
  expect(await byCommand(room, one, input)).toBe('done');
});

const inApi = arranged.filter(([, { operation }]) => operation.api !== undefined);

test.each(inApi)('%s requires a key with write permission in the API', async (_, one) => {
  const input = await one.fixture.arrange(room);
  const reading = await keyFor(room, 'A1B2C3D4', ['read']);
  const found = await room.watch(async () => {
    expect(await byApi(room, one, input, { key: null })).toBe('unauthorized');
    expect(await byApi(room, one, input, { key: reading })).toBe('forbidden');
  });
  expect(found).toEqual(nothing);
  expect(await byApi(room, one, input)).toBe('done');
});
