import { afterAll, beforeAll, expect, test } from 'vitest';
import { mailDesk } from '../../harness/builders/payer-mails.ts';
import { signIn } from '../../harness/portal.ts';
import { startService, type TestService, testAccount } from '../../harness/service.ts';
import { type Player, playerOf } from '../../scenarios/play.ts';

let service: TestService;
let player: Player;
let desk: ReturnType<typeof mailDesk>;

beforeAll(async () => {
  service = await startService({ ROLES: 'payments,web', MAIL_RETENTION_DAYS: '30' });
  player = playerOf(service);
  desk = mailDesk(service);
  await desk.set({ request: true, receipt: true });
});
afterAll(() => service.stop());

const mails = async () =>
  await service.sql<{ recipient: string; state: string }[]>`
    select recipient, state from mails order by id`;

const aged = (text: string) => service.sql`
  update mails set next_at = next_at - ${text}::text::interval`;

const forgetOld = () => service.service.parts.forgetOld();

test('deletes old sent e-mails, and keeps the history of their request', async () => {
  const id = await player.create({ payer_email: 'ana@example.com' });
  await desk.work();
  const office = await signIn(service, 'owner');
  const page = `/portal/${testAccount}/requests/${id}`;
  const steps = async () => /<ol[\s\S]*?<\/ol>/.exec((await office.get(page)).text)?.[0];
  const before = await steps();
  expect(before).toContain('ana@example.com');
  await aged('29 days');
  await forgetOld();
  expect(await mails()).toHaveLength(1);
  await aged('2 days');
  await Promise.all([forgetOld(), forgetOld()]);
  expect(await mails()).toEqual([]);
  expect(await steps()).toBe(before);
});

test('keeps waiting and failed e-mails of any age', async () => {
  await player.create({ payer_email: 'eva@example.com' });
  await player.create({ payer_email: 'leo@example.com' });
  await desk.sealed();
  await service.service.parts.payerMails.work();
  await service.sql`update mails set state = 'failed' where recipient = 'leo@example.com'`;
  await aged('10 years');
  await forgetOld();
  expect((await mails()).map((mail) => [mail.recipient, mail.state])).toEqual([
    ['eva@example.com', 'waiting'],
    ['leo@example.com', 'failed'],
  ]);
});
