import { changeLook, readPendingLook, setAccount } from '../../src/accounts/index.ts';
import { system } from '../../src/platform/actor.ts';
import { ownerNotices } from '../../src/users/index.ts';
import { secretOf } from '../connectors/played.ts';
import { cbuOf, type Desk, ofAccount, openDesk } from '../events/desk.ts';
import { type Office, type Shown, signIn } from '../harness/portal.ts';
import { testAccount } from '../harness/service.ts';

export const roles = [
  'owner',
  'administrator',
  'collections',
  'treasury',
  'read_only',
  'operator',
  'operator_read_only',
] as const;
export type Role = (typeof roles)[number];

/**
 * Settings of service and commands: a connector, and limits above which a second person decides.
 */
export const env = {
  // Nothing listens at this address.
  CONNECTORS: JSON.stringify([
    {
      ...{ name: 'shop', url: 'http://127.0.0.1:9', channels: ['DEBIN', 'wire_transfer'] },
      secrets: [secretOf('s')],
    },
  ]),
  PAYOUT_APPROVAL_ABOVE: '1000',
  CORRECTION_APPROVAL_ABOVE: '50000',
  STRANGER_RATE: '0',
};

/** Opens a service with a second account, and a user of each role. */
export async function openRoom() {
  const desk = await openDesk(env);
  const signed: [Role, Office][] = [];
  for (const role of roles) signed.push([role, await signIn(desk.service, role)]);
  const offices = Object.fromEntries(signed) as Record<Role, Office>;
  const proposers = {
    operator: await signIn(desk.service, 'operator'),
    treasury: await signIn(desk.service, 'treasury'),
  };
  let made = 0;
  /** Returns a word that no other fixture has. */
  const unique = (): string => {
    made += 1;
    return `n${made}`;
  };
  const account = async (): Promise<string> => {
    const args = ['--name', unique(), '--cuit', '30999999995', '--json'];
    return JSON.parse(await desk.run('accounts', 'create', ...args)).id;
  };
  const stranger = await account();
  // An unnamed operator would disqualify every operator from deciding.
  const acting = { ...desk.service.service.parts.base, actor: system };
  await setAccount(acting)({ accountId: testAccount, payoutCbu: cbuOf });
  await desk.run(
    ...['ledger', 'correct', ...ofAccount, '--amount', '40000', '--reference', 'seed'],
    ...['--note', 'n'],
  );
  await refundsTakeTwo(offices);
  return {
    ...desk,
    offices,
    stranger,
    unique,
    account,
    /** Creates a webhook, and removes older ones to make room. */
    async hook(): Promise<string> {
      const { data } = await desk.called('GET', '/webhook');
      for (const { id } of data.slice(0, -5)) await desk.called('DELETE', `/webhook/${id}`);
      return String(await desk.webhook());
    },
    /** People who make the proposals, and so cannot decide on them. */
    proposers,
    proposed: proposing(desk, proposers, unique),
  };
}

const home = `/portal/${testAccount}`;

async function refundsTakeTwo({ owner }: Record<Role, Office>): Promise<void> {
  await owner.post(`${home}/settings/refunds`, { above: '1' });
}

const fieldIn = ({ text }: Shown, name: string): string =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1] ?? '';

/** Proposes an act that needs a second person. Returns the number of the proposal. */
const proposing = (
  desk: Desk,
  { operator, treasury }: { operator: Office; treasury: Office },
  unique: () => string,
) => ({
  async payout(): Promise<string> {
    const args = ['--amount', '1001', '--reference', unique(), '--operator', operator.email];
    return String(
      JSON.parse(await desk.run('payouts', 'create', ...ofAccount, ...args, '--json')).id,
    );
  },
  async correction(): Promise<string> {
    const args = ['--amount', '60000', '--reference', unique(), '--note', 'n'];
    const named = ['--operator', operator.email, '--json'];
    await desk.run('ledger', 'correct', ...ofAccount, ...args, ...named);
    return await newest(desk, 'correction');
  },
  async refund(): Promise<string> {
    const id = await desk.paid('credit_card');
    const path = `${home}/requests/${id}/refund`;
    const page = await treasury.get(path);
    const fields = { key: fieldIn(page, 'key'), result_id: fieldIn(page, 'result_id') };
    const { status, text } = await treasury.post(path, fields);
    if (status !== 303) throw new Error(`not proposed: ${status} ${text.slice(-2000)}`);
    return await newest(desk, 'refund');
  },
  async look(): Promise<string> {
    const { base } = desk.service.service.parts;
    const told = await ownerNotices(base)({ id: testAccount, name: 'C' }, { what: 'look_asked' });
    const actor = { kind: 'user', id: treasury.userId } as const;
    await changeLook(
      { ...base, actor },
      { notify: told },
    )({
      accountId: testAccount,
      profile: { legal_name: unique() },
    } as never);
    return String((await readPendingLook(desk.service.sql, testAccount))?.id);
  },
});

async function newest({ service }: Desk, kind: string): Promise<string> {
  const [row] = await service.sql<{ id: number }[]>`
    select id from proposals where kind = ${kind} and state = 'waiting' order by id desc limit 1`;
  return String(row?.id);
}

export type OperationRoom = Awaited<ReturnType<typeof openRoom>>;
