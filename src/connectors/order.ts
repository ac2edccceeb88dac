import type {
  ChargeOrder,
  HoldOrder as ProtocolHoldOrder,
} from '../../connectors/protocol/messages.ts';
import type { ConnectorChannel } from '../../connectors/protocol/names.ts';
import {
  type Charge,
  type ChargeReference,
  channelCodes,
  type HoldOrder,
} from '../money/channels/index.ts';

/** Returns a charge's id in the protocol, which includes its account. */
export const attemptText = ({
  accountId,
  attemptId,
}: Pick<ChargeReference, 'accountId' | 'attemptId'>): string => `${accountId}-${attemptId}`;

/** Parses a charge's id in the protocol. Returns null if it is not ours. */
export function attemptIn(text: string): { accountId: string; attemptId: number } | null {
  const [, accountId, id] = /^([0-9A-F]{8})-([1-9][0-9]{0,14})$/.exec(text) ?? [];
  return accountId && id ? { accountId, attemptId: Number(id) } : null;
}

/**
 * Truncates to a length in code points, so that no character is halved. Returns null for a blank
 * text.
 */
const cut = (text: string | null, most: number): string | null => {
  const short = [...(text ?? '')].slice(0, most).join('');
  return short.trim() === '' ? null : short;
};

/** Omits members without a value. */
const present = <T extends Record<string, unknown>>(members: T) =>
  Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== null && value !== undefined),
  ) as { [K in keyof T]?: Exclude<T[K], null> };

function instrumentOf({ instrument }: Charge): ChargeOrder['instrument'] {
  switch (instrument.type) {
    case 'token': {
      const { token, brand, bin, lastFour, holderName } = instrument.card;
      return {
        type: 'token',
        token,
        ...present({ brand, bin, last_four: lastFour, holder_name: cut(holderName, 255) }),
      };
    }
    case 'kept_card': {
      const { reference, brand, bin, lastFour } = instrument.card;
      return { type: 'kept_card', reference, brand, ...present({ bin, last_four: lastFour }) };
    }
    case 'bank_account':
      return {
        type: 'bank_account',
        account: instrument.account.account,
        id_number: instrument.account.holderIdNumber,
      };
    case 'wallet':
      return { type: 'wallet' };
    case 'redirect':
      return { type: 'redirect' };
  }
}

function installmentsOf({ instrument }: Charge): Pick<ChargeOrder, 'installments'> {
  if (instrument.type !== 'token' || !instrument.card.plan) return {};
  const { installments, each, total } = instrument.card.plan;
  return {
    installments: { count: installments, send_as: String(installments), each, total },
  };
}

const addressOf = ({ payer: { address } }: Charge) =>
  address && {
    street: address.street,
    city: address.city,
    postal_code: address.postalCode,
    province: address.province,
  };

/** Marks a charge of a card on file as one that the holder agreed to earlier. */
function onFileOf({ instrument }: Charge): Pick<ChargeOrder, 'on_file'> {
  if (instrument.type !== 'kept_card') return {};
  const { reason, networkTransactionId } = instrument.card.onFile;
  const first = networkTransactionId !== null && { network_transaction_id: networkTransactionId };
  return { on_file: { initiator: 'merchant', reason, ...first } };
}

const isConnectors = (code: string): code is ConnectorChannel =>
  channelCodes.some((one) => one === code);

export interface OrderTerms {
  /** True if the channel can authorize first. */
  captures: boolean;
  businessTime: Temporal.Instant;
  deadline: Temporal.Instant;
  settings: Record<string, unknown>;
}

/** Builds the body of `PUT /charges/{attempt}/capture` and `…/void`. */
export const holdOrderOf = (
  hold: HoldOrder,
  { businessTime, settings }: Pick<OrderTerms, 'businessTime' | 'settings'>,
): ProtocolHoldOrder => ({
  attempt: attemptText(hold),
  business_time: businessTime.toString({ smallestUnit: 'millisecond' }),
  account: { id: hold.accountId, settings },
  reference: hold.reference,
  amount: hold.amount,
  currency: 'ARS',
});

/** Builds the body of `PUT /charges/{attempt}`. */
export function orderOf(
  charge: Charge,
  { captures, businessTime, deadline, settings }: OrderTerms,
): ChargeOrder {
  const { accountId, requestId, amount, payer, description, reference, returnUrl } = charge;
  const { instrument } = charge;
  // A debit uses the card's original channel.
  const channel = instrument.type === 'kept_card' ? instrument.card.channel : charge.channel;
  if (!isConnectors(channel)) throw new Error(`no connector takes ${channel}`);
  return {
    attempt: attemptText(charge),
    business_time: businessTime.toString({ smallestUnit: 'millisecond' }),
    channel,
    amount,
    currency: 'ARS',
    account: { id: accountId, settings },
    request: {
      id: String(requestId),
      ...present({ description: cut(description, 255), external_reference: cut(reference, 255) }),
    },
    payer: present({
      name: cut(payer.name, 255),
      email: cut(payer.email, 255),
      id_number: payer.idNumber,
      phone: payer.phone,
      address: addressOf(charge),
      ip: cut(payer.ip, 64),
      user_agent: cut(payer.userAgent, 512),
    }),
    instrument: instrumentOf(charge),
    ...installmentsOf(charge),
    ...onFileOf(charge),
    // A debit of a card on file is captured in one step, because no payer waits and nothing is
    // shipped.
    ...(captures && instrument.type !== 'kept_card' && { authorize_only: true }),
    ...(returnUrl !== null && { return_url: returnUrl }),
    deadline: deadline.toString({ smallestUnit: 'millisecond' }),
  };
}
