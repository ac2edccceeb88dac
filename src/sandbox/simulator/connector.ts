import { Changed } from '../../../connectors/protocol/charges.ts';
import { Unfit } from '../../../connectors/protocol/connector.ts';
import type { Handle } from '../../../connectors/protocol/http.ts';
import type {
  Manifest,
  OfferedChannel,
  TestCaseName,
} from '../../../connectors/protocol/messages.ts';
import {
  type Calls,
  Faulty,
  faultOf,
  find,
  routesOf,
  type Teller,
} from '../../../connectors/protocol/routes.ts';
import { handler } from '../../../connectors/protocol/serve.ts';
import { hearHere } from '../../../connectors/protocol/signature.ts';
import { simulatorName } from '../../money/channels/index.ts';
import type { Base } from '../../platform/base.ts';
import { simulatedCharges } from './charges.ts';
import { simulatedCodes } from './codes.ts';
import { framePath } from './model.ts';
import { simulatedRefunds } from './refunds.ts';
import { testCards, tokenise } from './test-cards.ts';

const isCard = (code: (typeof simulatedCodes)[number]): boolean =>
  code === 'credit_card' || code === 'debit_card';

const offered = (channel: (typeof simulatedCodes)[number], origin: string): OfferedChannel => ({
  channel,
  ...(isCard(channel) && {
    browser: { kind: 'frame', url: `${origin}${framePath}`, origin, plain: true },
    plans: 'ours' as const,
  }),
  refunds: ['whole', 'part'],
  cancel: false,
  answers_within_s: 8,
  settles_within_s: 1,
});

const byCard = { channel: 'credit_card' } as const;

/** Test cases for the conformance kit, each with a new token. */
const testCases: NonNullable<Manifest['test']> = {
  approved: byCard,
  rejected_other_instrument: byCard,
  rejected_same_later: byCard,
  rejected_never: { ...byCard, amount: 150_093 },
};

const outcomes = {
  rejected_other_instrument: 'rejected',
  rejected_same_later: 'insufficient_funds',
} as const;

function instrumentFor(name: TestCaseName) {
  const outcomeName = name in outcomes ? outcomes[name as keyof typeof outcomes] : 'approved';
  const card = testCards.find(({ outcome }) => outcome === outcomeName);
  if (!card) throw new Unfit(`There is no test card for ${name}.`);
  const { token, brand, bin, lastFour } = tokenise({ number: card.number, brand: 'visa' });
  return { type: 'token', token, brand, bin, last_four: lastFour };
}

interface Order {
  method: string;
  /** Path and query. */
  path: string;
  body?: object;
}

/** The sandbox's simulated acquirer and bank, as a connector. */
export interface Simulator {
  manifest: Manifest;
  /** Handles a call from this process. Unsigned, because it crosses no network. */
  call(order: Order): Promise<{ kind: 'answer'; status: number; body: unknown }>;
  /** Serves HTTP like any connector, to callers who sign with these secrets. */
  handle(secrets: readonly string[]): Handle;
}

const isMeant = (error: unknown): boolean =>
  error instanceof Faulty || error instanceof Changed || error instanceof Unfit;

/** Opens the simulator. `origin` serves its frame. */
export function openSimulator(base: Base, origin: string): Simulator {
  const { calls: charges, list } = simulatedCharges(base);
  const calls: Calls = {
    charges,
    refunds: simulatedRefunds(base),
    holds: null,
    cards: null,
    accounts: null,
  };
  const manifest: Manifest = {
    protocol: 1,
    name: simulatorName,
    version: '1.0.0',
    channels: simulatedCodes.map((code) => offered(code, origin)),
    notices: [],
    test: testCases,
  };
  const teller: Teller = { manifest, list, testInstrument: async (name) => instrumentFor(name) };
  const routes = routesOf(teller, calls);

  return {
    manifest,
    async call({ method, path, body }) {
      const [address = '', query = ''] = path.split('?', 2);
      const { ways, ids } = find(routes, address);
      const route = ways.get(method);
      if (!route) throw new Error(`the simulator has no ${method} ${address}`);
      const request = {
        method,
        address: path,
        path: address,
        query: new URLSearchParams(query),
        headers: {},
        body: '',
        message: body,
      };
      try {
        return { kind: 'answer', status: 200, body: await route(request, ids) };
      } catch (error) {
        // An unexpected failure, usually of the database, says more than an HTTP answer would.
        if (!isMeant(error)) throw error;
        const { status, body: text } = faultOf(error);
        return { kind: 'answer', status, body: JSON.parse(String(text)) };
      }
    },
    handle: (secrets) =>
      handler(teller, calls, {
        secrets,
        now: () => base.clocks.wall.nowMs(),
        log: (line) => base.log.error(line, 'the simulator failed'),
        hear: hearHere(),
      }),
  };
}
