import {
  type IntentionAnswer,
  type Notice,
  type TestPaid,
  testPaidSchema,
} from '../../../connectors/protocol/messages.ts';
import type { Check } from './check.ts';
import type { Intention, Listener } from './notices.ts';
import { must, NotOffered, readerOf, readOutcome, type Session } from './session.ts';

/** Text of the code that the simulated wallet pays. */
const code =
  '00020101021143530016com.mercadolibre0129https://mpago.la/pos/2602959950150011273265943055204970053030325802AR5917Prueba Perfumeria6004CABA63047720';
const amount = 150_075;

const readPaid = readerOf<TestPaid>(testPaidSchema, 'A payment by a wallet');

interface Played {
  paid: TestPaid;
  intentions: Intention[];
  attempt: string;
}

/** Simulates a wallet's payment, with the listener in the service's place. */
async function play(
  { call, manifest, newAttempt }: Session,
  listener: Listener | null,
  { passes, reversed }: { passes: boolean; reversed: boolean },
): Promise<Played> {
  if (!manifest.notices.includes('qr.intention')) {
    throw new NotOffered('The manifest does not list the notice qr.intention.');
  }
  if (!listener) throw new NotOffered('The kit needs --listen to receive notices.');
  const attempt = newAttempt();
  const intentions: Intention[] = [];
  listener.decide = (intention): IntentionAnswer => {
    intentions.push(intention);
    return passes
      ? { status: 'pass', attempt }
      : { status: 'fail', code: 'error', reason: 'The QR is Deleted.' };
  };
  const paid = readPaid(await call('POST', '/test/payments', { code, amount, reversed }));
  return { paid, intentions, attempt };
}

const noticeOf = (
  { until }: Session,
  { notices }: Listener,
  type: 'qr.confirmed' | 'qr.reversed',
  trx: string,
): Promise<Extract<Notice, { type: 'qr.confirmed' | 'qr.reversed' }> | undefined> =>
  until(
    async () =>
      notices
        .filter((one) => one.type === 'qr.confirmed' || one.type === 'qr.reversed')
        .find((one) => one.type === type && one.trx === trx),
    (found) => found !== undefined,
  );

/** Checks that need a listening kit and a connector that pays codes. */
export const qrChecks = (listener: Listener | null): readonly Check[] => [
  {
    guarantee: 'a paid code is announced first, and its confirmation is retried until accepted',
    try: async (session) => {
      const played = await play(session, listener, { passes: true, reversed: false });
      const { paid, intentions, attempt } = played;
      const [first] = intentions;
      must(intentions.length === 1, `It was announced ${intentions.length} times.`);
      must(first?.code === code && first.amount === amount, 'Another payment was announced.');
      must(paid.status === 'pass' && paid.trx === first.trx, 'The acquirer got another answer.');
      const notice = listener && (await noticeOf(session, listener, 'qr.confirmed', paid.trx));
      must(notice?.type === 'qr.confirmed', 'The kit received no confirmation of it.');
      must(notice.code === code && notice.amount === amount, 'Another payment was confirmed.');
      const outcome = readOutcome(await session.ask(`/charges/${attempt}`));
      must(outcome.outcome === 'approved', `GET returned ${outcome.outcome} for its charge.`);
      must(outcome.amount === amount, `GET returned ${outcome.amount} centavos for its charge.`);
      const rows = await session.charges();
      const listed = rows.filter(({ payment }) => payment?.trx === paid.trx);
      must(listed.length === 1, `The list has the payment ${listed.length} times.`);
    },
  },
  {
    guarantee: 'a code that cannot be paid is not confirmed',
    try: async (session) => {
      const { paid } = await play(session, listener, { passes: false, reversed: false });
      must(paid.status === 'fail', 'The acquirer was told that the code can be paid.');
      // Notices arrive in order, so once the next one is accepted, this one was not sent.
      const next = await play(session, listener, { passes: true, reversed: false });
      if (listener) await noticeOf(session, listener, 'qr.confirmed', next.paid.trx);
      const wasConfirmed = listener?.notices.some(
        (one) => one.type === 'qr.confirmed' && one.trx === paid.trx,
      );
      must(wasConfirmed === false, 'It was confirmed.');
    },
  },
  {
    guarantee: 'a notice reports the reversal of a code payment, and is retried until accepted',
    try: async (session) => {
      const { paid, attempt } = await play(session, listener, { passes: true, reversed: true });
      const notice = listener && (await noticeOf(session, listener, 'qr.reversed', paid.trx));
      must(notice?.type === 'qr.reversed', 'The kit received no reversal of it.');
      const outcome = readOutcome(await session.ask(`/charges/${attempt}`));
      must(outcome.outcome === 'canceled', `GET returned ${outcome.outcome} for its charge.`);
    },
  },
];
