import { type AccountOutcome, openedSchema } from '../../../connectors/protocol/messages.ts';
import { isCvu } from '../../kernel/cbu.ts';
import type { Check } from './check.ts';
import { type Answer, kitAccount, must, NotOffered, readerOf, type Session } from './session.ts';

const readAccount = readerOf<AccountOutcome>(openedSchema, 'The outcome of an account');

type Order = Record<string, unknown> & { reference: string };

const isoAt = (ms: number): string => Temporal.Instant.fromEpochMilliseconds(ms).toString();

let orders = 0;
/** Largest request id of the kit, so that ids fit every bank's format. */
const idsOfRequests = 99_999_999;

/** Returns an order to open an account for a new request. */
function ordering({ manifest, newAttempt, nowMs }: Session): Order {
  if (!manifest.channels.some((one) => one.opens_accounts === true)) {
    throw new NotOffered('The connector opens no accounts for transfers.');
  }
  orders += 1;
  return {
    reference: newAttempt(),
    business_time: isoAt(nowMs()),
    account: kitAccount,
    request: { id: String(1 + ((Math.floor(nowMs() / 10) + orders) % idsOfRequests)) },
    holder: { name: 'Club de Prueba', cuit: '30500010912' },
    deadline: isoAt(nowMs() + 60_000),
  };
}

const open = ({ call }: Session, order: Order): Promise<Answer> =>
  call('PUT', `/accounts/${order.reference}`, order);

async function opened(session: Session, order: Order): Promise<string> {
  const account = readAccount(await open(session, order));
  must(account.outcome === 'open', `The account was ${account.outcome}.`);
  return account.cvu;
}

export const accountChecks: readonly Check[] = [
  {
    guarantee: 'repeated requests open one account for transfers',
    try: async (session) => {
      const order = ordering(session);
      const atOnce = Array.from({ length: 5 }, () => opened(session, order));
      const cvus = new Set([...(await Promise.all(atOnce)), await opened(session, order)]);
      must(cvus.size === 1, `The answers named ${cvus.size} accounts.`);
      must([...cvus].every(isCvu), 'The check digits of its CVU are wrong.');
    },
  },
  {
    guarantee: 'two requests get two accounts',
    try: async (session) => {
      const first = await opened(session, ordering(session));
      const second = await opened(session, ordering(session));
      must(first !== second, 'Both got the same account.');
    },
  },
  {
    guarantee: 'an account of another request with the same reference gets 409',
    try: async (session) => {
      const order = ordering(session);
      await opened(session, order);
      const { request } = ordering(session);
      const { status } = await open(session, { ...order, request });
      must(status === 409, `The connector answered with status ${status}.`);
    },
  },
];
