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
    kind: Type.Literal('frame', { description: 'A frame turns card data into a token' }),
    url: address,
    origin,
    plain: Type.Optional(
      Type.Boolean({
        description:
          'Whether its form works in browsers without scripts. It then submits in the whole window, ' +
          'and redirects the payer to `back` from its query, with the fields of its message',
      }),
    ),
  }),
  Type.Object({
    kind: Type.Literal('redirect', {
      description: 'The payer enters the details on a page of the acquirer',
    }),
    label: Type.Optional(
      text(40, 'Label of the wallet button in the checkout, such as Pagar con MODO'),
    ),
  }),
]);

const offeredChannel = Type.Object({
  channel: oneOf(connectorChannels, 'Channel of the API that this connector serves'),
  brands: Type.Optional(Type.Array(cardBrand, { description: 'Card brands; default: all' })),
  browser: Type.Optional(browser),
  asks: Type.Optional(
    Type.Array(
      oneOf(payerFacts, 'Facts that the checkout asks of payers and sends with their charges'),
      {
        description: 'Facts about the payer that the acquirer requires; default: none',
      },
    ),
  ),
  plans: Type.Optional(
    oneOf(['ours', 'connector'], 'Source of the installment plans; default: ours'),
  ),
  refunds: Type.Array(oneOf(['whole', 'part'], 'Kind of refund'), {
    description: 'Supported refunds; empty if none',
  }),
  cancel: Type.Boolean({ description: 'Whether a pending charge can be canceled' }),
  keeps_cards: Type.Optional(
    Type.Boolean({
      description: 'Whether cards can be kept on file and charged again (`PUT /cards/{card}`)',
    }),
  ),
  three_ds: Type.Optional(
    Type.Boolean({
      description: 'Cards: whether approvals report the result of 3-D Secure',
    }),
  ),
  opens_accounts: Type.Optional(
    Type.Boolean({
      description:
        'wire_transfer: whether each request can have its own account ' +
        '(`PUT /accounts/{reference}`)',
    }),
  ),
  captures: Type.Optional(
    Type.Boolean({
      description:
        'Cards: whether a charge can be authorized first, and captured or voided later ' +
        '(`PUT /charges/{attempt}/capture`, `PUT /charges/{attempt}/void`)',
    }),
  ),
  answers_within_s: seconds(120, 'Time limit of a PUT; after it, the outcome is unknown'),
  settles_within_s: seconds(30 * 86_400, 'Time after which an unknown charge counts as unheard'),
});

/** A test case of the conformance kit: the charge to send, and its expected outcome. */
const testCase = Type.Object({
  channel: oneOf(connectorChannels, 'Channel'),
  instrument: Type.Optional(
    Type.Unknown({
      description: 'Instrument for charges; if missing, the kit requests a new one each time',
    }),
  ),
  amount: Type.Optional(centavos('Required amount; default: any')),
});
export type TestCase = Static<typeof testCase>;

/** Cases that a manifest may offer; the kit requires only `approved`. */
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
  protocol: Type.Integer({ minimum: 1, description: 'Lowest supported version' }),
  protocol_until: Type.Optional(
    Type.Integer({ minimum: 1, description: 'Highest supported version; default: the same' }),
  ),
  name: Type.String({ pattern: '^[a-z][a-z0-9-]{0,30}$' }),
  version: text(40, 'Version of the connector'),
  channels: Type.Array(offeredChannel, { minItems: 1, maxItems: 20 }),
  notices: Type.Array(oneOf(noticeTypes, 'Types of notices that the connector sends')),
  settings: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), {
      description: 'JSON Schema of the settings of an account, in the subset described here',
    }),
  ),
  lists_by: Type.Optional(
    oneOf(
      ['account'],
      'Lists are requested once without an account, and once for each account with settings',
    ),
  ),
  settlements: Type.Optional(
    Type.Object(
      {
        within_days: Type.Integer({
          minimum: 1,
          maximum: 400,
          description: 'Days from a charge to its full payout',
        }),
      },
      { description: "Lists the acquirer's payouts (`GET /settlements`)" },
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
          'Test deployments only: cases for the conformance kit, by outcome. ' +
          '`pending` settles by itself and sends a notice; `lost` is booked, and its response never arrives',
      },
    ),
  ),
});
export type Manifest = Static<typeof manifestSchema>;
export type OfferedChannel = Manifest['channels'][number];
/** `POST /test/payments`, in test set-ups only: makes a wallet pay a code at the acquirer. */
export const testPaymentSchema = Type.Object({
  code: text(1024, 'Text of the code'),
  amount: centavos('Amount that the wallet pays'),
  reversed: Type.Boolean({ description: 'Whether the network reverses it after the confirmation' }),
});
export type TestPayment = Static<typeof testPaymentSchema>;

/** The outcome: `trx` is the network's id. */
export const testPaidSchema = Type.Object({
  trx: text(50, "The network's id of the payment"),
  status: oneOf(['pass', 'fail'], "The service's answer to the intention"),
});
export type TestPaid = Static<typeof testPaidSchema>;

/** `POST /test/instruments`, in test set-ups only: creates an instrument for a case of the kit. */
export const testInstrumentSchema = Type.Object({
  case: oneOf(testCases, 'A case of the manifest'),
});
