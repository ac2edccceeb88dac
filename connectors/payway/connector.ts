import type { Connector } from '../protocol/connector.ts';
import type { Manifest, OfferedChannel } from '../protocol/messages.ts';
import type { Build } from '../protocol/serve.ts';
import { openApi } from './api.ts';
import { browserPage } from './browsers.ts';
import { cardsAt } from './cards.ts';
import { charge } from './charge.ts';
import type { PaywayConfig } from './config.ts';
import type { Desk } from './desk.ts';
import { framePage } from './frame.ts';
import { inquire, list } from './inquire.ts';
import { brandsOf } from './methods.ts';
import { refund, refundState } from './refund.ts';
import { testInstrument, testSection } from './test-cases.ts';
import { threeDsPage } from './three-ds.ts';

/** Typically 6 s, at worst 30 s; the connector itself times out after 38 s. */
const answersWithinSeconds = 40;
/** The search may lag; after this long a missing payment never appears. */
const settlesWithinSeconds = 600;

const offered = (
  channel: 'credit_card' | 'debit_card',
  { publicUrl, config }: Desk,
): OfferedChannel => ({
  channel,
  brands: brandsOf(channel),
  browser: { kind: 'frame', url: `${publicUrl}/frame`, origin: new URL(publicUrl).origin },
  // The site's fraud control requires both.
  ...(config.controlsFraud && { asks: ['phone' as const, 'address' as const] }),
  plans: 'ours',
  refunds: ['whole', 'part'],
  cancel: false,
  keeps_cards: true,
  answers_within_s: answersWithinSeconds,
  settles_within_s: settlesWithinSeconds,
});

const manifestOf = (desk: Desk): Manifest => {
  const test = testSection(desk);
  return {
    protocol: 1,
    name: 'payway',
    version: '1.0.0',
    channels: [offered('credit_card', desk), offered('debit_card', desk)],
    notices: desk.config.authenticates ? ['charge.changed'] : [],
    settings: {
      type: 'object',
      properties: {
        establishment_name: {
          type: 'string',
          maxLength: 25,
          description: "On the card holder's statement",
        },
        plan_codes: { type: 'object', description: 'Codes of its plans, by installments' },
        aggregate_data: { type: 'object', description: 'Whose sale it is' },
        fraud_detection: { type: 'object', description: 'What each payment carries of it' },
      },
      additionalProperties: false,
    },
    ...(test && { test }),
  };
};

/** Connects Payway (Prisma), REST v2, to the protocol. */
export const payway =
  (config: PaywayConfig): Build =>
  ({ origin, tell, recentNotes }): Connector => {
    const desk: Desk = {
      config,
      api: openApi(config),
      publicUrl: config.publicUrl || origin,
      tell,
      notes: recentNotes,
    };
    return {
      manifest: manifestOf(desk),
      charge: (order, call) => charge(desk, order, call),
      inquire: (inquiry, call) => inquire(desk, inquiry, call),
      refund: (order, before, call) => refund(desk, order, before, call),
      refundState: (inquiry, before, call) => refundState(desk, inquiry, before, call),
      ...cardsAt(desk),
      list: (query, call) => list(desk, query, call),
      page: async (request, charges) =>
        framePage(desk, request) ??
        (await browserPage(desk, request)) ??
        (await threeDsPage(desk, request, charges)),
      ...(config.testCases !== 'off' && {
        testInstrument: (name, call) => testInstrument(desk, name, call),
      }),
    };
  };
