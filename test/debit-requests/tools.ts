import { expect } from 'vitest';
import { createAccount, createKey } from '../../src/accounts/index.ts';
import type { RunOutcome, Settled } from '../../src/debit-requests/index.ts';
import { formatDay } from '../../src/kernel/dates.ts';
import { type MandateKind, signingLinks } from '../../src/mandates/index.ts';
import { auditWriter } from '../../src/parts.ts';
import { type Answer, type TestService, testAccount } from '../harness/service.ts';

/** A CBU of a made-up branch and account whose check digits are right. */
export const cbu = '0110599500000123456784';
export const card = '4507990000004905';

/** The CBU of a made-up account whose number ends in these four digits. */
export function cbuEndingIn(last: string, no = 0): string {
  const account = `${String(no).padStart(9, '0')}${last}`;
  const weights = [3, 9, 7, 1, 3, 9, 7, 1, 3, 9, 7, 1, 3];
  const sum = weights.reduce((total, weight, at) => total + weight * Number(account[at]), 0);
  return `01105995${account}${(10 - (sum % 10)) % 10}`;
}

const nextNumber = (() => {
  let last = 0;
  return () => {
    last += 1;
    return last;
  };
})();

export const adhesionBody = (fields: Record<string, unknown> = {}) => ({
  adhesion: {
    adhesion_holder_name: 'Ana Pérez',
    email: 'ana@example.com',
    description: 'Cuota social del club',
    short_description: 'Cuota social',
    cbu_number: cbu,
    cbu_holder_name: 'Ana María Pérez',
    cbu_holder_id_number: 20_055_361_682,
    external_reference: `socio-${nextNumber()}`,
    ...fields,
  },
});

export const cardAdhesionBody = (fields: Record<string, unknown> = {}) => ({
  card_adhesion: {
    adhesion_holder_name: 'Ana Pérez',
    email: 'ana@example.com',
    description: 'Cuota social del club',
    card_holder_name: 'ANA M PEREZ',
    card_number: card,
    external_reference: `socio-${nextNumber()}`,
    ...fields,
  },
});

/** A day so many days from the service's today, as bodies write it. */
export const inDays = (service: TestService, days: number): string =>
  formatDay(service.service.parts.clocks.business.today().add({ days }));

export async function signedAdhesion(
  service: TestService,
  fields: Record<string, unknown> = {},
): Promise<number> {
  const { body } = await service.call('POST', '/adhesion', { body: adhesionBody(fields) });
  return body.id;
}

export async function signedCardAdhesion(
  service: TestService,
  fields: Record<string, unknown> = {},
): Promise<number> {
  const { body } = await service.call('POST', '/card-adhesion', { body: cardAdhesionBody(fields) });
  return body.id;
}

export function createDebit(
  service: TestService,
  adhesionId: number,
  fields: Record<string, unknown> = {},
  headers: Record<string, string> = {},
): Promise<Answer> {
  return service.call('POST', '/debit-request', {
    body: {
      debit_request: {
        adhesion_id: adhesionId,
        description: 'Cuota de diciembre',
        first_due_date: inDays(service, 20),
        first_total: 1430.5,
        ...fields,
      },
    },
    headers,
  });
}

export function createCardDebit(
  service: TestService,
  adhesionId: number,
  fields: Record<string, unknown> = {},
): Promise<Answer> {
  const period = service.service.parts.clocks.business.today().add({ months: 2 });
  return service.call('POST', '/card-debit-request', {
    body: {
      card_debit_request: {
        card_adhesion_id: adhesionId,
        month: period.month,
        year: period.year,
        amount: 1430.5,
        description: 'Cuota de diciembre',
        ...fields,
      },
    },
  });
}

export const advance = (service: TestService, body: Record<string, unknown>): Promise<Answer> =>
  service.call('POST', '/sandbox/clock', { body });

export const todayOf = (service: TestService): Temporal.PlainDate =>
  service.service.parts.clocks.business.today();

/** Moves the clock to the day on which a debit's run is handed over, and runs what is due. */
export async function handOver(service: TestService, id: number, no: 1 | 2 = 1): Promise<void> {
  const [row] = await service.sql<{ submit_on: Temporal.PlainDate }[]>`
    select submit_on from debit_runs where request_id = ${id} and no = ${no}`;
  if (!row) throw new Error('there is no such run');
  const late = Temporal.PlainDate.compare(row.submit_on, todayOf(service)) <= 0;
  const to = late ? { minutes: 0 } : { advance_to: `${row.submit_on}T06:00:00-03:00` };
  const moved = await advance(service, to);
  if (moved.status !== 200) throw new Error(moved.text);
}

type Told = { paid: true } | { code: string; text?: string };

export const outcomeOf = (
  service: TestService,
  requestId: number,
  told: Told,
  runNo: 1 | 2 = 1,
): RunOutcome => {
  const now = service.service.parts.clocks.business.now();
  return {
    accountId: testAccount,
    requestId,
    runNo,
    actor: 'bank',
    label: 'Débito directo',
    outcome:
      'paid' in told
        ? { type: 'paid', paidAt: now }
        : { type: 'rejected', at: now, code: told.code, text: told.text ?? '' },
  };
};

/** Tells the service what a bank says of one run. */
export async function settle(
  service: TestService,
  requestId: number,
  told: Told,
  runNo: 1 | 2 = 1,
): Promise<Settled> {
  const outcomes = [outcomeOf(service, requestId, told, runNo)];
  const [settled] = await service.service.parts.debits.settle(outcomes);
  if (!settled) throw new Error('nothing was settled');
  return settled;
}

export const getDebit = async (service: TestService, id: number, query = '') =>
  (await service.call('GET', `/debit-request/${id}${query}`)).body;

export const getAdhesion = async (service: TestService, id: number) =>
  (await service.call('GET', `/adhesion/${id}`)).body;

/** A debit on a mandate of its own, made and handed over. */
export async function submittedDebit(
  service: TestService,
  fields: Record<string, unknown> = {},
): Promise<{ debit: number; adhesion: number }> {
  const adhesion = await signedAdhesion(service);
  const created = await createDebit(service, adhesion, fields);
  expect(created.status, created.text).toBe(201);
  await handOver(service, created.body.id);
  return { debit: created.body.id, adhesion };
}

/** Another account on the same service; answers its key. */
export async function otherAccount(
  { service: { parts } }: TestService,
  permissions: ('read' | 'write' | 'sandbox')[] = ['read', 'write'],
): Promise<string> {
  const { base, clocks } = parts;
  const audit = auditWriter(base, 'operator');
  const account = { id: null, name: 'Otra', cuit: '30999999995', city: 'Rosario' };
  const { id } = await createAccount(base.sql, clocks, audit, account);
  return await createKey(base.sql, clocks, audit, {
    id: await base.recordIds.next(),
    environment: 'sandbox',
    accountId: id,
    name: 'test',
    permissions,
    expiresAt: null,
    secret: null,
  });
}

/** Which fields a 400 finds fault with. */
export const faultyFields = ({ body }: Answer): string[] =>
  Object.entries<object>(body.children ?? {})
    .filter(([, node]) => Object.keys(node).length > 0)
    .map(([name]) => name);

/** The address at which a mandate is signed, as its letter has it. */
export const signingUrl = (service: TestService, kind: MandateKind, id: number): string =>
  signingLinks(service.service.parts.links)({ accountId: testAccount, kind, id, no: 1 });
