import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createAccount, setAccount } from '../../../src/accounts/index.ts';
import { createFourEyes } from '../../../src/composition/four-eyes.ts';
import { centavos } from '../../../src/kernel/money.ts';
import type { Proposal } from '../../../src/money/proposals/index.ts';
import { type Actor, system } from '../../../src/platform/actor.ts';
import type { ServiceRole } from '../../../src/users/index.ts';
import { testOperator } from '../../harness/actors.ts';
import { correct } from '../../harness/money.ts';
import { startService, type TestService } from '../../harness/service.ts';
import { type Player, playerOf, withoutWorker } from '../../scenarios/play.ts';

const cbu = '2850590940090418135201';
const limits = {
  PAYOUT_APPROVAL_ABOVE: 1_000,
  PAYOUT_CHANGE_DAYS: 7,
  CORRECTION_APPROVAL_ABOVE: 1_000,
};

let service: TestService;
let player: Player;
let made = 0;
const base = () => service.service.parts.base;
const fourEyes = () => createFourEyes(base(), limits);
const by = (id: number): Actor => ({ kind: 'user', id });

/** Creates a user of the service, or an account's owner. */
async function person(of: { operates: ServiceRole } | { owns: string }): Promise<number> {
  made += 1;
  const user = await service.service.parts.users.create(system, {
    email: `person-${made}@example.com`,
    name: 'Somebody',
    lang: 'es',
    password: 'rosa-de-los-vientos',
    serviceRole: 'operates' in of ? of.operates : null,
    membership: 'owns' in of ? { accountId: of.owns, role: 'owner' } : null,
  });
  return user.id;
}

let account: string;
let owner: number;

/** Creates a separate account with 10,000 pesos and a CBU. */
async function furnish(actor: Actor = system): Promise<void> {
  const made = await createAccount(
    { ...base(), actor: system },
    { id: null, name: 'A', cuit: '20000000028', city: 'Salta' },
  );
  account = made.id;
  owner = await person({ owns: account });
  await setAccount({ ...base(), actor })({ accountId: account, payoutCbu: cbu });
  const amount = centavos(1_000_000);
  const given = { accountId: account, amount, reference: 'given', note: 'n', actor: system };
  await correct(base())(given);
}

let asked = 0;
async function ask(pesos: number): Promise<Proposal> {
  asked += 1;
  const amount = centavos(pesos * 100);
  const reference = `asked-${asked}`;
  return await fourEyes().askPayout({
    accountId: account,
    amount,
    reference,
    by: owner,
    actor: by(owner),
  });
}

const approve = ({ id }: Proposal, operator: number): Promise<Proposal> =>
  fourEyes().approvePayout({ accountId: account, id, by: operator, actor: by(operator) });

const paid = async (): Promise<number> => {
  const [row] = await service.sql<{ paid: number }[]>`
    select coalesce(sum(amount), 0)::int as paid from payouts where account_id = ${account}`;
  return (row?.paid ?? 0) / 100;
};

let ana: number;
let eva: number;

beforeAll(async () => {
  service = await startService(withoutWorker);
  player = playerOf(service);
});
afterAll(() => service.stop());
beforeEach(() => furnish());

test('refuses a single operator above the limit, and explains how to add a second', async () => {
  // The sandbox starts with its own operator.
  await service.sql`update users set state = 'suspended' where service_role = 'operator'`;
  ana = await person({ operates: 'operator' });
  const proposal = await ask(5_000);
  await expect(approve(proposal, ana)).rejects.toThrow(
    /only one.*npx recaudo users create <email> --name <name> --role operator/,
  );
  const order = { accountId: account, reference: 'alone', by: ana, actor: by(ana) };
  const ordered = await fourEyes().orderPayout({ ...order, amount: centavos(500_000) });
  if (ordered.outcome !== 'proposed') throw new Error('it does not wait');
  await expect(approve(ordered.proposal, ana)).rejects.toThrow(/only one/);
  expect(await paid()).toBe(0);
  eva = await person({ operates: 'operator' });
});

test('answers a repeated proposal with the first, and refuses its reference for another amount', async () => {
  const propose = async (pesos: number) => {
    const of = { accountId: account, reference: 'repeated', note: 'n', by: ana, actor: by(ana) };
    const ordered = await fourEyes().orderCorrection({ ...of, amount: centavos(pesos * 100) });
    return ordered.outcome === 'proposed' ? ordered.proposal.id : null;
  };
  const [one, two] = await Promise.all([propose(5_000), propose(5_000)]);
  expect([two, await propose(5_000)]).toEqual([one, one]);
  await expect(propose(6_000)).rejects.toMatchObject({ errorCode: 'proposal.reference_taken' });
});

test('holds an owner’s payout above the limit for a second operator', async () => {
  const proposal = await ask(5_000);
  const [first, again] = await Promise.all([approve(proposal, ana), approve(proposal, ana)]);
  expect([first.state, again.state]).toEqual(['waiting', 'waiting']);
  expect(await paid()).toBe(0);
  expect((await approve(proposal, eva)).state).toBe('approved');
  expect(await paid()).toBe(5_000);
  await expect(approve(proposal, eva)).rejects.toMatchObject({ status: 409 });
  const events = await service.sql<{ type: string }[]>`
    select type from events where account_id = ${account} and entity = 'proposal' order by version`;
  expect(events.map(({ type }) => type)).toEqual([
    'proposal.made',
    'proposal.first_approved',
    'proposal.approved',
  ]);
  expect(await player.faults()).toEqual([]);
});

test('counts requested and ordered payouts together toward an operator’s daily limit', async () => {
  expect((await approve(await ask(600), ana)).state).toBe('approved');
  const second = await ask(600);
  expect((await approve(second, ana)).state).toBe('waiting');
  const order = { accountId: account, reference: 'direct', by: ana, actor: by(ana) };
  const ordered = await fourEyes().orderPayout({ ...order, amount: centavos(60_000) });
  expect(ordered.outcome).toBe('proposed');
  expect((await approve(second, eva)).state).toBe('approved');
  expect(await paid()).toBe(1_200);
});

test('requires one operator at the limit, and two for a centavo more', async () => {
  const order = { accountId: account, by: ana, actor: by(ana) };
  const whole = { ...order, reference: 'limit', amount: centavos(100_000) };
  expect((await fourEyes().orderPayout(whole)).outcome).toBe('sent');
  const more = { ...order, reference: 'more', amount: centavos(1) };
  expect((await fourEyes().orderPayout(more)).outcome).toBe('proposed');
  expect((await approve(await ask(400), eva)).state).toBe('approved');
  expect((await approve(await ask(600), eva)).state).toBe('approved');
  expect((await approve(await ask(0.01), eva)).state).toBe('waiting');
});

test('excludes operators who invited an owner or changed the CBU from large payouts for 7 days', async () => {
  const to = { account: { id: account, name: 'A' }, role: 'owner', granting: null } as const;
  const second = { email: `mailbox-${made}@example.com`, name: 'Ana two', lang: 'es' } as const;
  await service.service.parts.users.invite(by(ana), { ...second, to, serviceRole: null });
  const proposal = await ask(5_000);
  await expect(approve(proposal, ana)).rejects.toMatchObject({ status: 403 });
  const order = { accountId: account, reference: 'direct', actor: by(ana) };
  await expect(
    fourEyes().orderPayout({ ...order, by: ana, amount: centavos(500_000) }),
  ).rejects.toThrow(/within the last 7 days/);
  // The first approval is void once its operator changes the account.
  await approve(proposal, eva);
  await setAccount({ ...base(), actor: by(eva) })({ accountId: account, payoutCbu: null });
  await setAccount({ ...base(), actor: by(eva) })({ accountId: account, payoutCbu: cbu });
  const iris = await person({ operates: 'operator' });
  await expect(approve(proposal, iris)).rejects.toThrow(/approved it first, has since changed/);
  expect(await paid()).toBe(0);
  // A payout below the limit remains possible, and the exclusion expires.
  await player.move({ days: 8 });
  const later = await ask(5_000);
  await approve(later, ana);
  expect((await approve(later, eva)).state).toBe('approved');
});

test('attributes a command’s change to its named operator, or else to every operator', async () => {
  await furnish({ ...testOperator, userId: ana });
  const proposal = await ask(5_000);
  await expect(approve(proposal, ana)).rejects.toThrow(/^You changed/);
  expect((await approve(proposal, eva)).state).toBe('waiting');
  await furnish(testOperator);
  await expect(approve(await ask(5_000), eva)).rejects.toThrow(/command without --operator/);
  expect(await paid()).toBe(0);
});

test('refuses joint decisions by an operator and the one who appointed them', async () => {
  const { users } = service.service.parts;
  const mailbox = { email: `operator-${made}@example.com`, name: 'Ana three', lang: 'es' } as const;
  const { id } = await users.invite(by(ana), { ...mailbox, to: null, serviceRole: 'operator' });
  await service.sql`update users set state = 'active' where id = ${id}`;
  const proposal = await ask(5_000);
  await approve(proposal, ana);
  await expect(approve(proposal, id)).rejects.toThrow(/made you an operator/);
  expect((await approve(proposal, eva)).state).toBe('approved');
});
