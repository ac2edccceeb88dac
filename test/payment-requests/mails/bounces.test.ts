import { afterAll, beforeAll, expect, test } from 'vitest';
import { bookBounces } from '../../../src/payment-requests/mails/bounces/book.ts';
import { testOperator } from '../../harness/actors.ts';
import { mailDesk } from '../../harness/builders/payer-mails.ts';
import { startService, type TestService, testAccount } from '../../harness/service.ts';
import { type Player, playerOf } from '../../scenarios/play.ts';

let service: TestService;
let player: Player;
let desk: ReturnType<typeof mailDesk>;
let made = 0;
const address = (): string => `bo${++made}@example.com`;

beforeAll(async () => {
  service = await startService({ ROLES: 'payments,web', LETTERS_A_MINUTE: '0' });
  player = playerOf(service);
  desk = mailDesk(service);
  await desk.set({ request: true, receipt: true });
});
afterAll(() => service.stop());

const book = (text: string) =>
  bookBounces({ ...service.service.parts.base, actor: testOperator }, text);

interface Report {
  messageId: string;
  email: string;
  action?: string;
  status?: string;
}

/** A report in the format of RFC 3464. */
const report = ({ messageId, email, action = 'failed', status = '5.1.1' }: Report): string =>
  `From: MAILER-DAEMON@mx.example.com
To: no-reply@recaudo.example
Subject: Undelivered Mail Returned to Sender
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status;
	boundary="B0UND"

This is a MIME-encapsulated message.

--B0UND
Content-Type: text/plain

I could not deliver it.

--B0UND
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example.com

Final-Recipient: rfc822; ${email}
Action: ${action}
Status: ${status}
Diagnostic-Code: smtp; 550 5.1.1 <${email}>: Recipient address
    rejected: User unknown

--B0UND
Content-Type: text/rfc822-headers

Subject: Cobro
To: ${email}
Message-ID: ${messageId}

--B0UND--
`;

/** Creates a request and sends its e-mail. */
async function mailed(): Promise<{ id: number; email: string; messageId: string }> {
  const email = address();
  const id = await player.create({ payer_email: email });
  await desk.work();
  const [mail] = await desk.readOf(email);
  const messageId = /^Message-ID: (<.*>)\r$/im.exec(mail?.raw ?? '')?.[1] ?? '';
  return { id, email, messageId };
}

const steps = async (id: number) => {
  const ctx = { accountId: testAccount, actor: testOperator, requestId: 'x' };
  return await service.service.parts.requests.timeline(ctx, id);
};

test('shows a bounce once with the server’s words, and stops e-mails to the address', async () => {
  const mail = await mailed();
  expect(await book(report(mail))).toEqual({ read: 1, noted: 1, known: 0, other: 0 });
  expect(await book(report(mail))).toEqual({ read: 1, noted: 0, known: 1, other: 0 });
  const bounced = (await steps(mail.id)).filter(({ what }) => what === 'mail_bounced');
  expect(bounced).toHaveLength(1);
  expect(bounced[0]?.words).toBe(
    `550 5.1.1 <${mail.email}>: Recipient address rejected: User unknown`,
  );
  await player.create({ payer_email: mail.email.toUpperCase() });
  await desk.work();
  expect(
    (await desk.read()).filter(({ to }) => to.toLowerCase().includes(mail.email)),
  ).toHaveLength(1);
  const [event] = await service.sql`
    select type, actor from operator_events where type = 'mail.bounced' limit 1`;
  expect(event).toMatchObject({ type: 'mail.bounced' });
});

test('shows that a mailbox is full, and still sends the next e-mail', async () => {
  const mail = await mailed();
  expect(await book(report({ ...mail, status: '5.2.2' }))).toMatchObject({ noted: 1 });
  await player.create({ payer_email: mail.email });
  await desk.work();
  expect(await desk.readOf(mail.email)).toHaveLength(2);
});

test('lets a user of the account retry a bounced address', async () => {
  const mail = await mailed();
  await book(report(mail));
  const actor = { kind: 'user', id: 3 } as const;
  await service.service.parts.payerMails.resend({ accountId: testAccount, actor }, mail.id);
  await desk.work();
  expect(await desk.readOf(mail.email)).toHaveLength(2);
});

test('reads all messages of a folder, and ignores those that are not our bounces', async () => {
  const [one, two] = [await mailed(), await mailed()];
  const folder = [
    report(one),
    'Subject: Fuera de la oficina\n\nVuelvo el lunes.\n',
    report({ ...two, action: 'delayed' }),
    report({ ...two, email: 'somebody@else.example' }),
    report({ ...two, messageId: '<A1B2C3D4.999999999@x>' }),
    report({ ...two, messageId: '<x@y>' }),
    'Content-Type: multipart/report; report-type=delivery-status\n\nno boundary\n',
    '',
    report(two).replaceAll('\n', '\r\n'),
  ]
    .map((text) => `From MAILER-DAEMON Sun Nov 22 10:00:00 2026\n${text}\n`)
    .join('');
  expect(await book(folder)).toEqual({ read: 9, noted: 2, known: 0, other: 7 });
});

test.each([
  ['an empty file', ''],
  ['a binary file', '\u0000\u00ff'.repeat(1_000)],
  ['one endless line', 'x'.repeat(3_000_000)],
  ['endless folded headers', `Content-Type: multipart/report;${'\n '.repeat(500_000)}`],
  [
    'a hundred thousand parts',
    `Content-Type: multipart/report; report-type=delivery-status; boundary=a\n\n${'--a\n'.repeat(100_000)}`,
  ],
  ['a hundred thousand messages', 'From x\n'.repeat(100_000)],
])('reads %s in bounded time and records nothing', async (_, text) => {
  const begun = performance.now();
  expect(await book(text)).toMatchObject({ noted: 0, known: 0 });
  expect(performance.now() - begun).toBeLessThan(5_000);
});
