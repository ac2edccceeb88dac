import { type Static, Type } from 'typebox';
import { connectorChannels, payerFacts } from '../names.ts';
import { address, cardBrand, centavos, oneOf, seconds, text } from './fields.ts';

/** The protocol version of these messages. */
export const protocolVersion = 1;

/** Versions that the service speaks. */
const spoken = { lowest: 1, highest: protocolVersion };

/** Returns the highest version that both sides speak, or null if there is none. */
export function versionFor({
  protocol,
  protocol_until: until = protocol,
}: {
  protocol: number;
  protocol_until?: number;
}): number | null {
  const version = Math.min(spoken.highest, until);
  return version >= Math.max(spoken.lowest, protocol) ? version : null;
}

const origin = Type.String({
  pattern: '^https?://[^/\\s?#]+$',
  description: 'Origin of the frame, for the Content-Security-Policy of the checkout',
});

const browser = Type.Union([
  Type.Object({
    kind: Type.Literal('frame', { description: 'A frame turns what the payer types into a token' }),
    url: address,
    origin,
    plain: Type.Optional(
      Type.Boolean({
        description:
          'Whether its form works in browsers without scripts: it then posts to the whole window, ' +
          'and sends the payer to `back` of its query, with what else it would have handed over',
      }),
    ),
  }),
  Type.Object({
    kind: Type.Literal('redirect', { description: 'The payer types on a page of the acquirer' }),
    label: Type.Optional(
      text(40, 'Of a wallet: its button in the checkout says this, as Pagar con MODO'),
    ),
  }),
]);

const offeredChannel = Type.Object({
  channel: oneOf(connectorChannels, 'Channel of the interface that this connector takes money by'),
  brands: Type.Optional(Type.Array(cardBrand, { description: 'Cards only; missing: all' })),
  browser: Type.Optional(browser),
  asks: Type.Optional(
    Type.Array(oneOf(payerFacts, 'Asked of payers in the checkout, and sent with their charges'), {
      description: 'What the acquirer wants to know of a payer; missing: nothing is asked',
    }),
  ),
  plans: Type.Optional(
    oneOf(['ours', 'connector'], 'Whose table of installments is shown; missing: ours'),
  ),
  refunds: Type.Array(oneOf(['whole', 'part'], 'What can be given back'), {
    description: 'Empty: this channel cannot give back',
  }),
  cancel: Type.Boolean({ description: 'Whether a charge that is pending can be called off' }),
  keeps_cards: Type.Optional(
    Type.Boolean({
      description: 'Whether cards can be kept on file and charged again (`PUT /cards/{card}`)',
    }),
  ),
  three_ds: Type.Optional(
    Type.Boolean({
      description: 'Of cards: whether approvals say what 3-D Secure came to, where it was used',
    }),
  ),
  opens_accounts: Type.Optional(
    Type.Boolean({
      description:
        'Of wire_transfer: whether each request can have an account of its own ' +
        '(`PUT /accounts/{reference}`)',
    }),
  ),
  captures: Type.Optional(
    Type.Boolean({
      description:
        'Of cards: whether a charge can be authorised first, and captured or voided after that ' +
        '(`PUT /charges/{attempt}/capture`, `PUT /charges/{attempt}/void`)',
    }),
  ),
  answers_within_s: seconds(120, 'A PUT answers within this time, else its outcome is unknown'),
  settles_within_s: seconds(
    30 * 86_400,
    'After this time a charge that nobody knows was never heard of',
  ),
});

/** A test case of the conformance kit: the charge to send, and its expected outcome. */
const testCase = Type.Object({
  channel: oneOf(connectorChannels, 'Channel'),
  instrument: Type.Optional(
    Type.Unknown({
      description: 'As a charge carries it; missing: asked for, a new one each time',
    }),
  ),
  amount: Type.Optional(centavos('Where the amount decides; missing: any')),
});
export type TestCase = Static<typeof testCase>;

/** Cases that a manifest may offer; the kit requires `approved` and one refusal. */
export const testCases = [
  'approved',
  'rejected_never',
  'rejected_other_instrument',
  'rejected_same_later',
  'rejected_same_now',
  'rejected_call_issuer',
  'pending',
  'action_required',
  'lost',
  'whole_refunds_only',
  'disputed',
  'authenticated',
  'card_updated',
  'card_closed',
  'settled',
  'capture_refused',
  'capture_lost',
  'void_lost',
] as const;
export type TestCaseName = (typeof testCases)[number];

/** Notices that a connector sends unasked. */
export const noticeTypes = [
  'charge.changed',
  'charge.charged_back',
  'dispute.changed',
  'card.changed',
  'transfer.received',
  'transfer.reversed',
  'qr.intention',
  'qr.confirmed',
  'qr.reversed',
] as const;

/** `GET /manifest`: a connector's capabilities. */
export const manifestSchema = Type.Object({
  protocol: Type.Integer({ minimum: 1, description: 'The lowest version that it speaks' }),
  protocol_until: Type.Optional(
    Type.Integer({ minimum: 1, description: 'The highest one; missing: the same' }),
  ),
  name: Type.String({ pattern: '^[a-z][a-z0-9-]{0,30}$' }),
  version: text(40, 'Of the connector itself'),
  channels: Type.Array(offeredChannel, { minItems: 1, maxItems: 20 }),
  notices: Type.Array(oneOf(noticeTypes, 'What this connector tells by itself')),
  settings: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), {
      description: 'JSON Schema of the settings of an account, of the subset of this page',
    }),
  ),
  lists_by: Type.Optional(
    oneOf(
      ['account'],
      'Lists are asked for once without an account, and once for each account that has settings',
    ),
  ),
  settlements: Type.Optional(
    Type.Object(
      {
        within_days: Type.Integer({
          minimum: 1,
          maximum: 400,
          description: 'Days from a charge to the payout of all of it',
        }),
      },
      { description: 'Lists what its acquirer pays out (`GET /settlements`)' },
    ),
  ),
  test: Type.Optional(
    Type.Partial(
      Type.Object({
        approved: testCase,
        rejected_never: testCase,
        rejected_other_instrument: testCase,
        rejected_same_later: testCase,
        rejected_same_now: testCase,
        rejected_call_issuer: testCase,
        pending: testCase,
        action_required: testCase,
        lost: testCase,
        whole_refunds_only: testCase,
        disputed: testCase,
        authenticated: testCase,
        card_updated: testCase,
        card_closed: testCase,
        settled: testCase,
        capture_refused: testCase,
        capture_lost: testCase,
        void_lost: testCase,
      }),
      {
        description:
          'In test set-ups alone: cases for the conformance kit, by the outcome each brings about. ' +
          '`pending` settles by itself and tells so; `lost` is booked, and its answer never comes',
      },
    ),
  ),
});
export type Manifest = Static<typeof manifestSchema>;
export type OfferedChannel = Manifest['channels'][number];
/** `POST /test/payments`, in test set-ups only: makes a wallet pay a code at the acquirer. */
export const testPaymentSchema = Type.Object({
  code: text(1024, 'The text of the code'),
  amount: centavos('What the wallet pays'),
  reversed: Type.Boolean({ description: 'Whether the network reverses it when it was confirmed' }),
});
export type TestPayment = Static<typeof testPaymentSchema>;

/** The outcome: `trx` is the network's id. */
export const testPaidSchema = Type.Object({
  trx: text(50, 'Of the network'),
  status: oneOf(['pass', 'fail'], 'What the service answered to the intention'),
});
export type TestPaid = Static<typeof testPaidSchema>;

/** `POST /test/instruments`, in test set-ups only: creates an instrument for a case of the kit. */
export const testInstrumentSchema = Type.Object({ case: oneOf(testCases, 'Of the manifest') });
