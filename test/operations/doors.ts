import { createKey, type KeyPermission } from '../../src/accounts/index.ts';
import type { Operation } from '../../src/platform/operations.ts';
import { declaredOperations } from '../../tools/operations.ts';
import { recaudo } from '../cli/run.ts';
import { testOperator } from '../harness/actors.ts';
import { type Fixture, fixtures } from './fixtures.ts';
import { env, type OperationRoom, type Role } from './room.ts';

type Input = Readonly<Record<string, string>>;

/** Outcome: `done`, or the kind of the refusal. */
type Ended = 'done' | 'unauthorized' | 'forbidden' | 'not_found' | 'refused';

const all = await declaredOperations();

/** Returns the name of an operation, with its act if several share the name. */
const keyOf = ({ name, act }: Operation): string =>
  all.filter((other) => other.name === name).length > 1 ? `${name} ${act}` : name;

export const operations = all.map((operation) => [keyOf(operation), operation] as const);
/** Operations with a fixture; a test names the others. */
export const arranged = operations.flatMap(([key, operation]) => {
  const fixture = fixtures[key];
  return fixture ? [[key, { operation, fixture }] as const] : [];
});

export interface Arranged {
  operation: Operation;
  fixture: Fixture;
}

/** Returns the words of a command line. */
function lineOf({ operation, fixture }: Arranged, input: Input): string[] {
  const { command, members } = operation;
  const { arguments: inPlace = [], flags = {} } = command ?? {};
  const named: Readonly<Record<string, string | undefined>> = flags;
  return [
    ...(fixture.command ?? '').split(' '),
    ...inPlace.map((member) => input[member] ?? ''),
    ...Object.entries(input).flatMap(([member, value]) =>
      inPlace.includes(member) || !(member in members)
        ? []
        : [`--${named[member] ?? member}`, value],
    ),
  ];
}

const kinds: readonly string[] = ['unauthorized', 'forbidden', 'not_found'];

export async function byCommand(
  { service, offices }: OperationRoom,
  one: Arranged,
  input: Input,
  operator = offices.operator.email,
): Promise<Ended> {
  const who = one.fixture.named ? ['--operator', operator] : [];
  const { code, stderr } = await recaudo([...lineOf(one, input), ...who, '--json'], {
    DATABASE_URL: service.databaseUrl,
    ...env,
  });
  if (code === 0) return 'done';
  // The log may print a connector's failure first.
  const { error } = JSON.parse(stderr.trim().split('\n').at(-1) ?? '');
  return kinds.includes(error) ? error : 'refused';
}

const byStatus: Readonly<Record<number, Ended>> = {
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
};
const endedBy = (status: number): Ended =>
  status < 400 ? 'done' : (byStatus[status] ?? 'refused');

/** Calls the API, without a key if `key` is null. */
export async function byApi(
  { service }: OperationRoom,
  { operation: { api } }: Arranged,
  { account: _, ...input }: Input,
  { key, idempotencyKey }: { key?: string | null; idempotencyKey?: string } = {},
): Promise<Ended> {
  if (api === undefined) throw new Error('it is not in the API');
  const { method, path, wrapper } = api;
  const rest = { ...input };
  const address = path.replaceAll(/:(\w+)/g, (_all, member: string) => {
    const value = rest[member] ?? '';
    delete rest[member];
    return value;
  });
  const { status } = await service.call(method, address, {
    body: wrapper === undefined ? rest : { [wrapper]: rest },
    ...(key !== undefined && { key }),
    headers: idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey },
  });
  return endedBy(status);
}

/** Sends the portal's form as a user with this role. */
export async function byPage(
  { offices }: OperationRoom,
  { fixture }: Arranged,
  input: Input,
  role: Role,
): Promise<Ended> {
  const rest = { ...input };
  const address = (fixture.page ?? '').replaceAll(/:(\w+)/g, (_all, member: string) => {
    const value = member === 'account' ? (input.account ?? 'A1B2C3D4') : (rest[member] ?? '');
    delete rest[member];
    return value;
  });
  const { status } = await offices[role].post(address, rest);
  return endedBy(status);
}

/** Calls an operation by its command, else by the API, else by its page. */
export async function call(
  room: OperationRoom,
  one: Arranged,
  input: Input,
  { role, idempotencyKey }: { role: Role; idempotencyKey: string },
): Promise<Ended> {
  if (one.fixture.command !== undefined) return await byCommand(room, one, input);
  if (one.operation.api !== undefined) return await byApi(room, one, input, { idempotencyKey });
  return await byPage(room, one, input, role);
}

export async function keyFor(
  { service }: OperationRoom,
  accountId: string,
  permissions: readonly KeyPermission[],
): Promise<string> {
  const { base } = service.service.parts;
  const id = await base.recordIds.next();
  return await createKey(
    { ...base, actor: testOperator },
    {
      id,
      name: 'x',
      permissions: [...permissions],
      environment: 'sandbox',
      accountId,
      expiresAt: null,
      secret: null,
    },
  );
}
