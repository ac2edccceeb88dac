import { createHmac } from 'node:crypto';
import { type Answer, fault, json } from '../../connectors/protocol/http.ts';
import { signedText } from '../../connectors/protocol/signature.ts';
import {
  type Distort,
  type Fault,
  type Heard,
  type Pass,
  type Plant,
  withBody,
} from './planted-rig.ts';

// biome-ignore lint/suspicious/noExplicitAny: a planted fault knows the message that it distorts
type Body = any;
type When = (call: Heard) => boolean;

const bodyIn = (text: string | Buffer): Body => {
  try {
    return JSON.parse(String(text));
  } catch {
    return {};
  }
};

const putCharge: When = ({ method, address }) =>
  method === 'PUT' && /^\/charges\/[^/]+$/.test(address);
const getCharge: When = ({ method, path }) => method === 'GET' && /^\/charges\/[^/]+$/.test(path);
const putRefund: When = ({ method, address }) => method === 'PUT' && address.includes('/refunds/');
const getRefund: When = ({ method, path }) => method === 'GET' && path.includes('/refunds/');
const cancel: When = ({ path }) => path.endsWith('/cancel');
const putCard: When = ({ method, path }) => method === 'PUT' && path.startsWith('/cards/');
const getCard: When = ({ method, path }) => method === 'GET' && path.startsWith('/cards/');
const forget: When = ({ path }) => path.endsWith('/forget');
const putHold =
  (end: 'capture' | 'void'): When =>
  ({ method, path }) =>
    method === 'PUT' && path.endsWith(`/${end}`);
const list: When = ({ method, path }) => method === 'GET' && path === '/charges';
const manifest: When = ({ path }) => path === '/manifest';

const tokenIs =
  (token: string): When =>
  (call) =>
    putCharge(call) && bodyIn(call.body).instrument?.token === token;

/** Changes responses with status 200. */
const answers =
  (when: When, change: (body: Body, call: Heard) => Body): Plant =>
  () =>
  async (call, pass) => {
    const answer = await pass(call);
    if (!when(call) || answer.status !== 200) return answer;
    return json(200, change(bodyIn(answer.body), call));
  };

/** Answers matching calls without forwarding them. */
const says =
  (when: When, answer: (body: Body, call: Heard) => Answer): Plant =>
  () =>
  async (call, pass) =>
    when(call) ? answer(bodyIn(call.body), call) : await pass(call);

/** Changes orders before the connector sees them. */
const orders =
  (when: When, change: (body: Body) => Body): Plant =>
  ({ resend }) =>
  async (call, pass) =>
    when(call) ? await resend(withBody(call, change(bodyIn(call.body))), pass) : await pass(call);

/** Replaces responses of one status. */
const insteadOf =
  (when: When, status: number, body: object): Plant =>
  () =>
  async (call, pass) => {
    const answer = await pass(call);
    return when(call) && answer.status === status ? json(200, body) : answer;
  };

const rejected = { outcome: 'rejected', code: 'x', text: 'No.', retry: 'same_now' };
const approved = (body: Body) => ({ outcome: 'approved', reference: 'S1', amount: body.amount });
const isSale: When = ({ method, path }) => method === 'POST' && path === '/sales';
const isGiveBack: When = ({ method, path }) => method === 'POST' && path.endsWith('/refunds');

/** Changes messages to the acquirer. */
const tells =
  (when: When, change: (body: Body) => Body): Plant =>
  () =>
  async (call, pass) =>
    when(call)
      ? await pass({ ...call, body: JSON.stringify(change(bodyIn(call.body))) })
      : await pass(call);

/** Repeats every order to the acquirer under another reference. */
const sellsTwice =
  (other: (reference: string) => string): Plant =>
  () =>
  async (call, pass) => {
    if (isSale(call)) {
      const body = bodyIn(call.body);
      const again = { ...body, reference: other(body.reference) };
      await pass({ ...call, body: JSON.stringify(again) }).catch(() => {});
    }
    return await pass(call);
  };

const charge = ['charges', 'whole'];
const signature = ['signatures', 'restarts'];

/** Verifies signatures itself, and signs the calls that it accepts again. */
const verifies =
  (isGood: (own: Buffer, given: Buffer, call: Heard) => boolean, ages = true): Plant =>
  ({ secret, resend }) => {
    const heard = new Set<string>();
    return async (call, pass) => {
      const { method, address, body, headers } = call;
      const id = String(headers['webhook-id'] ?? '');
      const seconds = String(headers['webhook-timestamp'] ?? '');
      const key = Buffer.from(secret.slice(6), 'base64');
      const text = signedText({ method, path: address, body: method === 'GET' ? '' : body });
      const own = createHmac('sha256', key).update(`${id}.${seconds}.${text}`).digest();
      const given = Buffer.from(String(headers['webhook-signature'] ?? '').slice(3), 'base64');
      const isYoung = Math.abs(Date.now() / 1000 - Number(seconds)) < 300;
      if (!isGood(own, given, call) || (ages && !isYoung) || heard.has(id)) return await pass(call);
      heard.add(id);
      return await resend(call, pass);
    };
  };

const isEqual = (own: Buffer, given: Buffer): boolean => own.equals(given);

/** Resends a call with a good signature after the connector refused it. */
const forgives =
  (when: When): Plant =>
  ({ resend }) =>
  async (call, pass) => {
    const answer = await pass(call);
    return answer.status === 401 && when(call) ? await resend(call, pass) : answer;
  };

const signatures: readonly Fault[] = [
  { does: 'ignores signatures', groups: signature, front: forgives(() => true) },
  {
    does: 'compares the first eight bytes of a signature',
    groups: signature,
    front: verifies((own, given) => own.subarray(0, 8).equals(given.subarray(0, 8))),
  },
  {
    does: 'compares as many bytes as came',
    groups: signature,
    front: verifies((own, given) => own.subarray(0, given.length).equals(given)),
  },
  {
    does: 'takes an empty signature',
    groups: signature,
    front: verifies((own, given) => given.length === 0 || isEqual(own, given)),
  },
  {
    does: 'compares the length of a signature',
    groups: signature,
    front: verifies((own, given) => own.length === given.length),
  },
  { does: 'takes any age', groups: signature, front: verifies(isEqual, false) },
  {
    does: 'takes what is signed in the future',
    groups: signature,
    front: verifies(
      (own, given, { headers }) =>
        isEqual(own, given) && Number(headers['webhook-timestamp']) > Date.now() / 1000 - 300,
      false,
    ),
  },
  {
    does: 'takes what was signed long ago',
    groups: signature,
    front: verifies(
      (own, given, { headers }) =>
        isEqual(own, given) && Number(headers['webhook-timestamp']) < Date.now() / 1000 + 300,
      false,
    ),
  },
  {
    does: 'does not compare what a body is for',
    groups: signature,
    front:
      ({ resend }) =>
      async (call, pass) => {
        const answer = await pass(call);
        const body = bodyIn(call.body);
        if (answer.status !== 401 || !body.for) return answer;
        const own = { ...body, attempt: call.path.split('/')[2] };
        return await resend(withBody(call, own), pass);
      },
  },
  {
    does: 'takes a body that does not say what it is for',
    groups: signature,
    front:
      ({ resend }) =>
      async (call, pass) => {
        const body = bodyIn(call.body);
        return call.method === 'PUT' && body.attempt && !body.for
          ? await resend(withBody(call, body), pass)
          : await pass(call);
      },
  },
  {
    does: 'remembers no ids',
    groups: signature,
    front:
      ({ resend }) =>
      async (call, pass) => {
        const answer = await pass(call);
        const isAgain = String(answer.body).includes('already received');
        return isAgain ? await resend(call, pass) : answer;
      },
  },
  {
    does: 'forgets ids when it restarts',
    groups: signature,
    front: ({ resend, restarts }) => {
      const heard = new Map<string, number>();
      return async (call, pass) => {
        const id = String(call.headers['webhook-id']);
        const last = heard.get(id);
        heard.set(id, restarts());
        return last !== undefined && last < restarts()
          ? await resend(call, pass)
          : await pass(call);
      };
    },
  },
  {
    does: 'spends the id of a call that it refuses',
    groups: signature,
    front: () => {
      const spent = new Set<string>();
      return async (call, pass) => {
        const id = String(call.headers['webhook-id']);
        if (spent.has(id)) return fault(401, 'Heard before.');
        spent.add(id);
        return await pass(call);
      };
    },
  },
  {
    does: 'does not sign the query of a GET',
    groups: signature,
    front: forgives(({ method, path }) => method === 'GET' && path !== '/manifest'),
  },
  { does: 'shows its manifest to everybody', groups: signature, front: forgives(manifest) },
  {
    does: 'answers a forgery with 403',
    groups: signature,
    front: () => async (call, pass) => {
      const answer = await pass(call);
      return answer.status === 401 ? { ...answer, status: 403 } : answer;
    },
  },
  {
    does: 'obeys a forgery and answers 401',
    groups: signature,
    front:
      ({ resend }) =>
      async (call, pass) => {
        const answer = await pass(call);
        if (answer.status === 401 && putCharge(call)) await resend(call, pass);
        return answer;
      },
  },
];

let numbers = 0;

const charges: readonly Fault[] = [
  {
    does: 'charges each call anew',
    groups: charge,
    front:
      ({ resend }) =>
      async (call, pass) => {
        if (!putCharge(call)) return await pass(call);
        const body = bodyIn(call.body);
        numbers += 1;
        const attempt = `${body.attempt.slice(-10)}-${numbers}`;
        const heard = await resend(
          withBody(call, { ...body, attempt }, `/charges/${attempt}`),
          pass,
        );
        await pass(call);
        return heard;
      },
  },
  {
    does: 'sells once more under a foreign reference',
    groups: charge,
    back: sellsTwice((reference) => `X${reference}`),
  },
  {
    does: 'sells once more under a longer reference',
    groups: charge,
    back: sellsTwice((reference) => `${reference}2`),
  },
  {
    does: 'tells another amount than it took',
    groups: charge,
    front: answers(putCharge, (body) =>
      body.outcome === 'approved' ? { ...body, amount: body.amount - 1 } : body,
    ),
  },
  {
    does: 'takes more than was ordered, and tells what was ordered',
    groups: charge,
    back: () => async (call, pass) => {
      if (!isSale(call)) return await pass(call);
      const body = bodyIn(call.body);
      const more = { ...body, amount: body.amount + 100 };
      const answer = await pass({ ...call, body: JSON.stringify(more) });
      return json(answer.status, { ...bodyIn(answer.body), amount: body.amount });
    },
  },
  {
    does: 'takes less than was ordered',
    groups: charge,
    back: tells(isSale, (body) => ({ ...body, amount: body.amount - 1 })),
  },
  {
    does: 'takes ten times as much of kept cards alone',
    groups: ['cards', 'whole'],
    back: () => async (call, pass) => {
      const body = bodyIn(call.body);
      if (!isSale(call) || !body.instrument?.reference) return await pass(call);
      const more = { ...body, amount: body.amount * 10 };
      const answer = await pass({ ...call, body: JSON.stringify(more) });
      return json(answer.status, { ...bodyIn(answer.body), amount: body.amount });
    },
  },
  {
    does: 'says pending of what was approved',
    groups: charge,
    front: answers(getCharge, (body) =>
      body.outcome === 'approved' ? { outcome: 'pending', ask_after_s: 60 } : body,
    ),
  },
  {
    does: 'says unheard of what was approved',
    groups: charge,
    front: answers(getCharge, (body) =>
      body.outcome === 'approved' ? { outcome: 'unheard' } : body,
    ),
  },
  {
    does: 'says rejected of what was approved',
    groups: charge,
    front: answers(getCharge, (body) => (body.outcome === 'approved' ? rejected : body)),
  },
  {
    does: 'says approved of what was never sent',
    groups: charge,
    front: answers(getCharge, (body) =>
      body.outcome === 'unheard' ? { outcome: 'approved', reference: 'S1', amount: 1 } : body,
    ),
  },
  {
    does: 'gives a charge another reference when asked',
    groups: charge,
    front: answers(getCharge, (body) => (body.reference ? { ...body, reference: 'S0' } : body)),
  },
  {
    does: 'takes another content under the same id for the first',
    groups: charge,
    front: insteadOf(putCharge, 409, approved({ amount: 150_175 })),
  },
  {
    does: 'charges another content under the same id too',
    groups: charge,
    front:
      ({ resend }) =>
      async (call, pass) => {
        const answer = await pass(call);
        if (!putCharge(call) || answer.status !== 409) return answer;
        const body = bodyIn(call.body);
        const attempt = `${body.attempt}9`;
        const own = withBody(call, { ...body, attempt }, `/charges/${attempt}`);
        await resend(own, pass);
        return answer;
      },
  },
  {
    does: 'obeys another account under the same id',
    groups: charge,
    front: orders(putCharge, (body) => ({
      ...body,
      account: { id: '000000C1', settings: {} },
    })),
  },
  {
    does: 'gives each of many answers its own reference',
    groups: charge,
    front: answers(putCharge, (body) => {
      numbers += 1;
      return body.reference ? { ...body, reference: `S${numbers}` } : body;
    }),
  },
  {
    does: 'says rejected where it does not know',
    groups: charge,
    front: insteadOf(putCharge, 502, rejected),
  },
  {
    does: 'says unheard where it does not know',
    groups: charge,
    front: insteadOf(putCharge, 502, { outcome: 'unheard' }),
  },
  ...[
    ['tok_stolen', 'same_now'],
    ['tok_refused', 'never'],
    ['tok_no_funds', 'call_issuer'],
    ['tok_mistyped', 'same_later'],
    ['tok_call_issuer', 'other_instrument'],
  ].map(
    ([token = '', retry]): Fault => ({
      does: `advises ${retry} after ${token}`,
      groups: charge,
      front: answers(tokenIs(token), (body) => ({ ...body, retry })),
    }),
  ),
  {
    does: 'says approved of a refusal',
    groups: charge,
    front: () => async (call, pass) => {
      const answer = await pass(call);
      const isRefusal = String(answer.body).includes('"rejected"');
      return putCharge(call) && isRefusal ? json(200, approved(bodyIn(call.body))) : answer;
    },
  },
  {
    does: 'says approved of what is pending',
    groups: charge,
    front: () => async (call, pass) => {
      const answer = await pass(call);
      return tokenIs('tok_review')(call) ? json(200, approved(bodyIn(call.body))) : answer;
    },
  },
  {
    does: 'says unheard of what settled late',
    groups: charge,
    front: () => {
      const pending = new Set<string>();
      return async (call, pass) => {
        const answer = await pass(call);
        if (tokenIs('tok_review')(call)) pending.add(call.path);
        const isLate = getCharge(call) && pending.has(call.path);
        return isLate ? json(200, { outcome: 'unheard' }) : answer;
      };
    },
  },
  {
    does: 'sends a charge whose deadline has passed',
    groups: charge,
    front: orders(putCharge, (body) => ({
      ...body,
      deadline: new Date(Date.now() + 60_000).toISOString(),
    })),
  },
  {
    does: 'answers canceled without canceling',
    groups: charge,
    front: says(cancel, () => json(200, { outcome: 'canceled' })),
  },
  {
    does: 'says canceled of what was approved',
    groups: charge,
    front: answers(cancel, (body) =>
      body.outcome === 'approved' ? { outcome: 'canceled' } : body,
    ),
  },
  {
    does: 'answers the same order again with 409',
    groups: charge,
    front: () => {
      const seen = new Set<string>();
      return async (call, pass) => {
        if (putCharge(call) && seen.has(call.path)) return fault(409, 'Known.');
        if (putCharge(call)) seen.add(call.path);
        return await pass(call);
      };
    },
  },
  {
    does: 'charges again what was sent before a restart',
    groups: ['restarts', 'whole'],
    front: ({ resend, restarts }) => {
      const seen = new Map<string, number>();
      return async (call, pass) => {
        if (!putCharge(call)) return await pass(call);
        const last = seen.get(call.path);
        seen.set(call.path, restarts());
        if (last === undefined || last === restarts()) return await pass(call);
        const body = bodyIn(call.body);
        const attempt = `${body.attempt}8`;
        return await resend(withBody(call, { ...body, attempt }, `/charges/${attempt}`), pass);
      };
    },
  },
];

const refund = ['refunds'];
const done = { outcome: 'done', reference: 'S1-1' };

const refunds: readonly Fault[] = [
  {
    does: 'gives back again what it gave',
    groups: refund,
    back: tells(isGiveBack, (body) => {
      numbers += 1;
      return { ...body, key: `${body.key}-${numbers}` };
    }),
    front:
      ({ resend }) =>
      async (call, pass) => {
        if (!putRefund(call)) return await pass(call);
        const body = bodyIn(call.body);
        numbers += 1;
        const own = `${body.refund}${numbers}`;
        const address = `/charges/${body.attempt}/refunds/${own}`;
        return await resend(withBody(call, { ...body, refund: own }, address), pass);
      },
  },
  {
    does: 'says done and gives nothing back',
    groups: refund,
    front: says(putRefund, () => json(200, done)),
  },
  {
    does: 'says done of more than is left',
    groups: refund,
    front: answers(putRefund, (body) => (body.outcome === 'failed' ? done : body)),
  },
  {
    does: 'gives the whole back for a part',
    groups: refund,
    front: orders(putRefund, (body) => ({ ...body, amount: body.charged - body.refunded_before })),
  },
  {
    does: 'gives a centavo less back',
    groups: refund,
    back: tells(isGiveBack, (body) => ({ ...body, amount: body.amount - 1 })),
  },
  {
    does: 'takes another content of a refund for the first',
    groups: refund,
    front: insteadOf(putRefund, 409, done),
  },
  {
    does: 'says unheard of a refund that was done',
    groups: refund,
    front: answers(getRefund, () => ({ outcome: 'unheard' })),
  },
  {
    does: 'says done of a refund that was never sent',
    groups: refund,
    front: says(getRefund, () => json(200, done)),
  },
  {
    does: 'fails every second part',
    groups: refund,
    front: says(
      (call) => putRefund(call) && bodyIn(call.body).refunded_before > 0,
      () => json(200, { outcome: 'failed', code: 'x', text: 'No.' }),
    ),
  },
  {
    does: 'refuses to give the whole back',
    groups: refund,
    front: says(
      (call) => putRefund(call) && bodyIn(call.body).amount === bodyIn(call.body).charged,
      () => json(200, { outcome: 'failed', code: 'x', text: 'No.' }),
    ),
  },
];

const card = ['cards'];

const cards: readonly Fault[] = [
  {
    does: 'keeps a card anew each time',
    groups: card,
    front: answers(putCard, (body) => {
      numbers += 1;
      return body.outcome === 'kept' ? { ...body, reference: `card_${numbers}` } : body;
    }),
  },
  {
    does: 'charges a forgotten card',
    groups: card,
    front: says(forget, () => json(200, { outcome: 'forgotten' })),
  },
  {
    does: 'takes another card under the same id',
    groups: card,
    front: insteadOf(putCard, 409, {
      outcome: 'kept',
      reference: 'card_1',
      brand: 'visa',
      last_four: '0000',
    }),
  },
  {
    does: 'keeps a card that was refused',
    groups: card,
    front: answers(putCard, (body) =>
      body.outcome === 'rejected'
        ? { outcome: 'kept', reference: 'card_1', brand: 'visa', last_four: '0000' }
        : body,
    ),
  },
  {
    does: 'says kept of a card that was never sent',
    groups: card,
    front: answers(getCard, (body) =>
      body.outcome === 'unheard'
        ? { outcome: 'kept', reference: 'card_1', brand: 'visa', last_four: '0000' }
        : body,
    ),
  },
  {
    does: 'says pending of a card that is kept',
    groups: card,
    front: answers(getCard, () => ({ outcome: 'pending', ask_after_s: 60 })),
  },
  {
    does: 'fails to forget a card twice',
    groups: card,
    front: () => {
      const seen = new Set<string>();
      return async (call, pass) => {
        if (forget(call) && seen.has(call.path)) return fault(404, 'There is no such card.');
        if (forget(call)) seen.add(call.path);
        return await pass(call);
      };
    },
  },
  {
    does: 'says of no charge who began it',
    groups: card,
    back: tells(isSale, ({ on_file: _, ...body }) => body),
  },
  {
    does: 'says that the payer began a debit',
    groups: card,
    back: tells(isSale, (body) => ({
      ...body,
      ...(body.on_file && { on_file: { ...body.on_file, initiator: 'payer' } }),
    })),
  },
  {
    does: "drops the network's id of the first payment",
    groups: card,
    back: tells(isSale, ({ on_file: { network_transaction_id: _, ...onFile } = {}, ...body }) => ({
      ...body,
      on_file: onFile,
    })),
  },
  {
    does: 'keeps a card that has expired',
    groups: card,
    front: answers(putCard, (body) => ({ ...body, expires: '2020-01' })),
  },
  {
    does: 'says a month that is none',
    groups: card,
    front: answers(putCard, (body) => ({ ...body, expires: '2040-13' })),
  },
  {
    does: 'charges a kept card once',
    groups: card,
    front: () => {
      const seen = new Set<string>();
      return async (call, pass) => {
        const { reference } = bodyIn(call.body).instrument ?? {};
        if (!putCharge(call) || !reference) return await pass(call);
        if (seen.has(reference)) return json(200, rejected);
        seen.add(reference);
        return await pass(call);
      };
    },
  },
];

/** Changes a notice and signs it again. */
const retells =
  (type: string, change: (body: Body) => Body): Plant =>
  ({ resend }) =>
  async (call, pass) => {
    const body = bodyIn(call.body);
    return body.type === type ? await resend(withBody(call, change(body)), pass) : await pass(call);
  };

/** Drops notices of a type, and acknowledges them. */
const swallows =
  (type: string): Plant =>
  () =>
  async (call, pass) =>
    bodyIn(call.body).type === type ? json(200, {}) : await pass(call);

const unsigned: Distort = (call: Heard, pass: Pass) => pass({ ...call, headers: {} });

const told = ['notices', 'codes'];

const secure: readonly Fault[] = [
  {
    does: 'says nothing of 3-D Secure',
    groups: ['charges'],
    front: answers(putCharge, ({ three_ds: _, ...body }) => body),
  },
  {
    does: 'says another liability when it is asked',
    groups: ['charges'],
    front: answers(getCharge, (body) =>
      body.three_ds ? { ...body, three_ds: { ...body.three_ds, liability: 'merchant' } } : body,
    ),
  },
  {
    does: 'says a result of 3-D Secure that nobody knows',
    groups: ['charges'],
    front: answers(putCharge, (body) =>
      body.three_ds ? { ...body, three_ds: { ...body.three_ds, result: 'Y' } } : body,
    ),
  },
];

const changes = ['card changes'];

/** Returns a card in its first state, whatever happened to it. */
const asAtFirst: Plant = () => {
  const first = new Map<string, Answer>();
  return async (call, pass) => {
    const answer = await pass(call);
    if (putCard(call)) first.set(call.path, answer);
    return getCard(call) ? (first.get(call.path) ?? answer) : answer;
  };
};

const cardChanges: readonly Fault[] = [
  { does: 'tells no change of a card', groups: changes, notices: swallows('card.changed') },
  {
    does: 'tells the change of another card',
    groups: changes,
    notices: retells('card.changed', (body) => ({ ...body, card: '000000C1-M1-1' })),
  },
  { does: 'answers of a changed card as at first', groups: changes, front: asAtFirst },
  {
    does: 'keeps the reference of a card that was replaced',
    groups: changes,
    front: answers(getCard, (body) =>
      body.outcome === 'kept' ? { ...body, reference: body.reference.replace('_2', '') } : body,
    ),
  },
  {
    does: 'says kept of a card that was closed',
    groups: changes,
    front: answers(getCard, (body) =>
      body.outcome === 'closed'
        ? { outcome: 'kept', reference: 'card_1', brand: 'visa', last_four: '4905' }
        : body,
    ),
  },
  {
    does: 'charges a card that was closed',
    groups: changes,
    front: () => async (call, pass) => {
      const answer = await pass(call);
      const isRefused = putCharge(call) && bodyIn(answer.body).code === 'closed';
      return isRefused ? json(200, approved(bodyIn(call.body))) : answer;
    },
  },
];

const disputed = (does: string, change: (body: Body) => Body): Fault => ({
  does,
  groups: ['disputes'],
  notices: retells('dispute.changed', change),
});

const disputes: readonly Fault[] = [
  { does: 'tells no dispute', groups: ['disputes'], notices: swallows('dispute.changed') },
  {
    does: 'tells a dispute once, and not how it ends',
    groups: ['disputes'],
    notices: () => async (call, pass) =>
      bodyIn(call.body).revision > 1 ? json(200, {}) : await pass(call),
  },
  disputed('numbers no changes of a dispute', (body) => ({ ...body, revision: 1 })),
  disputed('disputes another amount', (body) => ({ ...body, amount: body.amount + 1 })),
  disputed('holds back more than is disputed', (body) => ({ ...body, taken: body.taken * 2 })),
  disputed('keeps the money of a dispute that was won', (body) => ({
    ...body,
    taken: body.amount,
  })),
  disputed('gives each change of a dispute an id of its own', (body) => ({
    ...body,
    id: `${body.id}-${body.revision}`,
  })),
  disputed('disputes another charge', (body) => ({ ...body, attempt: '000000C1-1' })),
  disputed('says no deadline', ({ evidence_due_at: _, ...body }) => body),
  disputed('says a deadline that has passed', (body) => ({
    ...body,
    ...(body.evidence_due_at && { evidence_due_at: '2020-01-01T00:00:00Z' }),
  })),
];

const settlementsAre: When = ({ method, path }) => method === 'GET' && path === '/settlements';

/** Distorts each listed payout line. */
const settles = (does: string, change: (line: Body, at: number) => Body): Fault => ({
  does,
  groups: ['settlements'],
  front: answers(settlementsAre, ({ settlements: all, ...rest }) => ({
    ...rest,
    settlements: all.map(change),
  })),
});

let listings = 0;

const settlements: readonly Fault[] = [
  {
    does: 'lists no payouts',
    groups: ['settlements'],
    front: answers(settlementsAre, () => ({ settlements: [] })),
  },
  {
    does: 'lists each line of a payout twice',
    groups: ['settlements'],
    front: answers(settlementsAre, ({ settlements: all, ...rest }) => ({
      ...rest,
      settlements: [...all, ...all],
    })),
  },
  {
    does: 'lists payouts without a range',
    groups: ['settlements'],
    front: insteadOf(settlementsAre, 400, { settlements: [] }),
  },
  settles('settles another amount', (line) => ({ ...line, gross: line.gross - 1 })),
  settles('says a net that is not gross less fee', (line) => ({ ...line, net: line.gross })),
  settles('settles another charge', ({ attempt, ...line }) => ({
    ...line,
    ...(attempt && { attempt: `${attempt}0` }),
  })),
  settles('pays out another sum than its lines', (line) => ({
    ...line,
    payout: { ...line.payout, net: line.payout.net + 1 },
  })),
  settles('says a sum of its own with each line', (line, at) => ({
    ...line,
    payout: { ...line.payout, net: line.payout.net + at },
  })),
  settles('numbers lines anew with each list', (line) => {
    listings += 1;
    return { ...line, id: `${line.id}-${listings}` };
  }),
  settles('calls a sale a refund', (line) => ({
    ...line,
    kind: line.kind === 'sale' ? 'refund' : line.kind,
  })),
];

const notices: readonly Fault[] = [
  { does: 'tells no changes', groups: told, notices: swallows('charge.changed') },
  { does: 'signs no notice', groups: told, notices: () => unsigned },
  {
    does: 'tells a notice once, whether it was taken or not',
    groups: told,
    notices: () => async (call, pass) => {
      const answer = await pass(call);
      return bodyIn(call.body).type === 'qr.intention' ? answer : json(200, {});
    },
  },
  {
    does: 'tells changes of another charge',
    groups: told,
    notices: retells('charge.changed', (body) => ({ ...body, attempt: '000000C1-1' })),
  },
  {
    does: 'tells what is no notice',
    groups: told,
    notices: retells('charge.changed', ({ attempt }) => ({ type: 'changed', attempt })),
  },
  { does: 'confirms no code', groups: told, notices: swallows('qr.confirmed') },
  { does: 'tells no reversal', groups: told, notices: swallows('qr.reversed') },
  {
    does: 'confirms another amount',
    groups: told,
    notices: retells('qr.confirmed', (body) => ({ ...body, amount: body.amount + 1 })),
  },
  {
    does: 'confirms another code',
    groups: told,
    notices: retells('qr.confirmed', (body) => ({ ...body, code: 'x' })),
  },
  {
    does: 'asks about another amount',
    groups: told,
    notices: retells('qr.intention', (body) => ({ ...body, amount: 1 })),
  },
  {
    does: 'asks nobody before a code is paid',
    groups: told,
    notices: () => async (call, pass) =>
      bodyIn(call.body).type === 'qr.intention'
        ? json(200, { status: 'pass', attempt: '000000C1-1' })
        : await pass(call),
  },
  {
    does: 'asks twice about a code',
    groups: told,
    notices:
      ({ resend }) =>
      async (call, pass) => {
        if (bodyIn(call.body).type === 'qr.intention') await resend(call, pass);
        return await pass(call);
      },
  },
  {
    does: 'pays a code that may not be paid',
    groups: told,
    notices: () => async (call, pass) => {
      const answer = await pass(call);
      return bodyIn(answer.body).status === 'fail'
        ? json(200, { status: 'pass', attempt: '000000C1-2' })
        : answer;
    },
  },
];

const lists: readonly Fault[] = [
  {
    does: 'lists every day',
    groups: ['charges', 'lists'],
    front:
      ({ resend }) =>
      async (call, pass) => {
        if (!list(call) || !call.address.includes('from=2001')) return await pass(call);
        const range = new URLSearchParams({
          from: '2000-01-01T00:00:00Z',
          until: '2100-01-01T00:00:00Z',
        });
        return await resend({ ...call, address: `/charges?${range}` }, pass);
      },
  },
  {
    does: 'lists without a range',
    groups: ['lists'],
    front: insteadOf(list, 400, { charges: [] }),
  },
  {
    does: 'lists a charge twice',
    groups: charge,
    front: answers(list, ({ charges: all, ...rest }) => ({ ...rest, charges: [...all, ...all] })),
  },
  {
    does: 'lists nothing',
    groups: charge,
    front: answers(list, () => ({ charges: [] })),
  },
  {
    does: 'lists a centavo too much',
    groups: charge,
    front: answers(list, ({ charges: all, ...rest }) => ({
      ...rest,
      charges: all.map((one: Body) => ({ ...one, amount: one.amount + 1 })),
    })),
  },
  {
    does: 'lists nothing as given back',
    groups: refund,
    front: answers(list, ({ charges: all, ...rest }) => ({
      ...rest,
      charges: all.map((one: Body) => ({ ...one, refunded: 0 })),
    })),
  },
  {
    does: 'lists in circles',
    groups: charge,
    front: answers(list, (body) => ({ ...body, next: 'again' })),
  },
  {
    does: 'lists refusals as approved',
    groups: charge,
    front: answers(list, ({ charges: all, ...rest }) => ({
      ...rest,
      charges: all.map((one: Body) => ({ ...one, outcome: 'approved' })),
    })),
  },
];

const bound = ['bounds', 'whole'];

/** Repairs an order that must be refused. */
const mends = (does: string, isFaulty: (body: Body) => boolean, mend: (body: Body) => Body) => ({
  does,
  groups: bound,
  front: ((planting) => async (call, pass) => {
    const body = bodyIn(call.body);
    return putCharge(call) && isFaulty(body)
      ? await planting.resend(withBody(call, mend(body)), pass)
      : await pass(call);
  }) satisfies Plant,
});

const bounds: readonly Fault[] = [
  mends(
    'takes the amount without its sign',
    ({ amount }) => amount < 0,
    (body) => ({ ...body, amount: -body.amount }),
  ),
  mends(
    'rounds fractions of a centavo',
    ({ amount }) => typeof amount === 'number' && !Number.isInteger(amount),
    (body) => ({ ...body, amount: Math.round(body.amount) }),
  ),
  mends(
    'reads an amount as text',
    ({ amount }) => typeof amount === 'string',
    (body) => ({ ...body, amount: Number(body.amount) }),
  ),
  mends(
    'takes dollars for pesos',
    ({ currency }) => currency === 'USD',
    (body) => ({ ...body, currency: 'ARS' }),
  ),
  mends(
    'takes any channel for cards',
    ({ channel }) => channel === 'barter',
    (body) => ({ ...body, channel: 'credit_card' }),
  ),
  mends(
    'charges some instrument where none came',
    ({ instrument }) => instrument === undefined,
    (body) => ({ ...body, instrument: { type: 'token', token: 'tok_paid' } }),
  ),
  mends(
    'takes any instrument for a token',
    ({ instrument }) => instrument?.type === 'gold',
    (body) => ({ ...body, instrument: { type: 'token', token: 'tok_paid' } }),
  ),
  mends(
    'charges without an account',
    ({ account, attempt }) => attempt !== undefined && account === undefined,
    (body) => ({ ...body, account: { id: '000000C1', settings: {} } }),
  ),
  {
    does: 'believes the address where the body has another id',
    groups: bound,
    front:
      ({ resend }) =>
      async (call, pass) => {
        const body = bodyIn(call.body);
        const attempt = call.path.split('/')[2];
        return putCharge(call) && body.attempt !== attempt
          ? await resend(withBody(call, { ...body, attempt }), pass)
          : await pass(call);
      },
  },
  {
    does: 'answers what is no JSON with 500',
    groups: bound,
    front: () => async (call, pass) => {
      const answer = await pass(call);
      const isJson = Object.keys(bodyIn(call.body)).length > 0;
      return call.method === 'PUT' && !isJson && answer.status === 400
        ? fault(500, 'Unexpected end of JSON input')
        : answer;
    },
  },
  {
    does: 'refuses members that it does not know',
    groups: bound,
    front: says(
      (call) => putCharge(call) && bodyIn(call.body).invented_later !== undefined,
      () => fault(400, 'Unknown member.'),
    ),
  },
  mends(
    'charges a card number in the place of a token',
    ({ instrument }) => /^\d{16}$/.test(instrument?.token ?? ''),
    (body) => ({ ...body, instrument: { type: 'token', token: 'tok_paid' } }),
  ),
  {
    does: 'repeats a card number that it refuses',
    groups: bound,
    front: () => async (call, pass) => {
      const answer = await pass(call);
      const { token = '' } = bodyIn(call.body).instrument ?? {};
      return /^\d{16}$/.test(token) ? fault(422, `${token} is no token.`) : answer;
    },
  },
  {
    does: 'answers unknown addresses with 200',
    groups: bound,
    front: () => async (call, pass) => {
      const answer = await pass(call);
      return answer.status === 404 ? json(200, {}) : answer;
    },
  },
  {
    does: 'takes longer than its manifest says',
    groups: ['refunds', 'whole'],
    front: () => async (call, pass) => {
      const answer = await pass(call);
      if (manifest(call)) {
        const body = bodyIn(answer.body);
        const channels = body.channels.map((one: Body) => ({ ...one, answers_within_s: 1 }));
        return json(200, { ...body, channels });
      }
      if (call.method === 'PUT') await new Promise((late) => setTimeout(late, 1_100));
      return answer;
    },
  },
];

const number = ['4507', '9900', '0000', '4905'].join('');
const encoded = Buffer.from(`{"card":"${number}"}`).toString('base64');

const leaks: readonly Fault[] = [
  {
    does: 'answers a card number',
    groups: bound,
    front: answers(putCharge, (body) => ({ ...body, card: number })),
  },
  {
    does: 'answers a card number in groups',
    groups: bound,
    front: answers(putCharge, (body) => ({
      ...body,
      note: `Card ${number.replace(/(.{4})/g, '$1 ').trim()} approved`,
    })),
  },
  {
    does: 'answers a card number as base64',
    groups: bound,
    front: answers(putCharge, (body) => ({ ...body, raw: encoded })),
  },
  {
    does: 'answers a card number as base64 of base64',
    groups: bound,
    front: answers(putCharge, (body) => ({
      ...body,
      raw: Buffer.from(encoded).toString('base64'),
    })),
  },
  {
    does: 'answers a card number in a header',
    groups: bound,
    front: () => async (call, pass) => {
      const answer = await pass(call);
      return { ...answer, headers: { ...answer.headers, 'x-card': number } };
    },
  },
  {
    does: 'answers a card number with a fault',
    groups: ['charges', 'bounds', 'whole'],
    front: () => async (call, pass) => {
      const answer = await pass(call);
      return answer.status === 400 ? fault(400, `Not ${number}.`) : answer;
    },
  },
  {
    does: 'logs a card number',
    groups: bound,
    front:
      ({ log }) =>
      async (call, pass) => {
        if (putCharge(call)) log(`order ${call.body} of ${number}`);
        return await pass(call);
      },
  },
  {
    does: 'logs a card number as base64',
    groups: bound,
    front:
      ({ log }) =>
      async (call, pass) => {
        log(`raw ${encoded}`);
        return await pass(call);
      },
  },
];

const manifests: readonly Fault[] = [
  {
    does: 'names a channel twice',
    groups: ['manifest'],
    front: answers(manifest, (body) => ({
      ...body,
      channels: [...body.channels, ...body.channels],
    })),
  },
  {
    does: 'describes settings by a pattern',
    groups: ['manifest'],
    front: answers(manifest, (body) => ({
      ...body,
      settings: { type: 'object', properties: { shop: { type: 'string', pattern: '(a+)+$' } } },
    })),
  },
  {
    does: 'names another origin than that of its frame',
    groups: ['manifest'],
    front: answers(manifest, (body) => {
      const [first, ...rest] = body.channels;
      const browser = { ...first.browser, origin: 'https://elsewhere.example' };
      return { ...body, channels: [{ ...first, browser }, ...rest] };
    }),
  },
  {
    does: 'offers no approval to try',
    groups: ['manifest'],
    front: answers(manifest, ({ test: { approved: _, ...test }, ...body }) => ({ ...body, test })),
  },
];

const hold = ['holds'];
const canceled = { outcome: 'canceled' };

/** Changes the outcomes of one kind. */
const insteadOfOutcome = (when: When, outcome: string, change: (body: Body) => Body): Plant =>
  answers(when, (body) => (body.outcome === outcome ? change(body) : body));

const holds: readonly Fault[] = [
  {
    does: 'takes at once what was only to be authorized',
    groups: hold,
    back: tells(isSale, (body) => ({ ...body, capture: true })),
  },
  {
    does: 'says approved of what is only authorized',
    groups: hold,
    front: insteadOfOutcome(putCharge, 'authorized', (body) => ({ ...body, outcome: 'approved' })),
  },
  {
    does: 'authorizes until a moment that has passed',
    groups: hold,
    front: insteadOfOutcome(putCharge, 'authorized', (body) => ({
      ...body,
      expires_at: '2020-01-01T00:00:00Z',
    })),
  },
  {
    does: 'says that it captured, and captures nothing',
    groups: hold,
    front: says(putHold('capture'), (body) => json(200, approved(body))),
  },
  {
    does: 'says that it voided, and voids nothing',
    groups: hold,
    front: says(putHold('void'), () => json(200, canceled)),
  },
  {
    does: 'says of a captured charge that it was voided after all',
    groups: hold,
    front: insteadOf(putHold('void'), 409, canceled),
  },
  {
    does: 'says of a voided charge that it was captured after all',
    groups: hold,
    front: insteadOf(putHold('capture'), 409, approved({ amount: 150_075 })),
  },
  {
    does: 'says rejected of a capture whose answer was lost',
    groups: hold,
    front: insteadOf(putHold('capture'), 502, rejected),
  },
  {
    does: 'says approved of a capture that was refused',
    groups: hold,
    front: insteadOfOutcome(putHold('capture'), 'rejected', () => approved({ amount: 150_075 })),
  },
  {
    does: 'captures another amount than it says was held',
    groups: hold,
    front: insteadOfOutcome(putHold('capture'), 'approved', (body) => ({
      ...body,
      amount: body.amount - 1,
    })),
  },
  {
    does: 'captures what it is to void',
    groups: hold,
    back: () => (call, pass) => {
      const address = call.address.replace(/\/void$/, '/capture');
      return pass({ ...call, address });
    },
  },
  {
    does: 'says authorized of what was captured',
    groups: hold,
    front: insteadOfOutcome(getCharge, 'approved', (body) => ({
      ...body,
      outcome: 'authorized',
      expires_at: '2099-01-01T00:00:00Z',
    })),
  },
  {
    does: 'lists what is only held as taken',
    groups: hold,
    front: answers(list, (body) => ({
      ...body,
      charges: body.charges.map((one: Body) => ({
        ...one,
        outcome: one.outcome === 'authorized' ? 'approved' : one.outcome,
      })),
    })),
  },
  {
    does: 'forgets at a restart what was authorized before it',
    groups: hold,
    front:
      ({ restarts }) =>
      async (call, pass) =>
        putHold('capture')(call) && restarts() > 0
          ? json(200, { outcome: 'unheard' })
          : await pass(call),
  },
];

export const faults: readonly Fault[] = [
  ...manifests,
  ...signatures,
  ...charges,
  ...holds,
  ...refunds,
  ...cards,
  ...notices,
  ...disputes,
  ...cardChanges,
  ...settlements,
  ...secure,
  ...lists,
  ...bounds,
  ...leaks,
];
