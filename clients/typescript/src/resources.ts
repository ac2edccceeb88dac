import { call, named, post, read, readPage } from './calls.ts';
import { UnexpectedAnswerError } from './errors.ts';
import type { CallOptions } from './options.ts';
import { eachItem } from './pages.ts';
import { refundsOf } from './refunds.ts';
import { rowsOf } from './rows.ts';
import type { Transport } from './transport.ts';
import type * as api from './types.ts';

/** Filters of a list, without `page`: the iterator pages by itself. */
type Filters<Query> = Omit<Query, 'page'>;

export interface Details {
  /** Adds `retentions`: each tax withheld from the payments. */
  detail_retentions?: boolean | undefined;
}

/** Calls that all resources have in common. */
const nounOf = <
  Fields,
  Created,
  Item extends { id: number },
  Query,
  Read extends CallOptions & Details,
>(
  transport: Transport,
  path: string,
  wrapper: string,
) => ({
  create: (fields: Fields, options?: CallOptions) =>
    transport.json<Created>(post(path, { [wrapper]: fields }), options),
  get: (id: number, given?: Read) => {
    const { detail_retentions, ...options }: CallOptions & Details = given ?? {};
    return transport.json<Item>(read(`${path}/${named(id)}`, { detail_retentions }), options);
  },
  /** Yields all items of the list, oldest first. */
  list: (filters?: Filters<Query>, options?: CallOptions) =>
    eachItem<Item>(transport, path, filters, options),
});

const cancelOf = <Item>(transport: Transport, path: string) => ({
  /** Cancels an unpaid request or debit, or a mandate together with its pending debits. */
  cancel: (id: number, options?: CallOptions) =>
    transport.json<Item>(call('PUT', `${path}/${named(id)}/cancel`, 'safe'), options),
});

const refundPath = (path: string) => (id: number) => `${path}/${named(id)}/refund`;

const paymentRequestPath = '/payment-request';
export const paymentRequests = (transport: Transport) => ({
  ...nounOf<
    api.CreatePaymentRequestBody['payment_request'],
    api.CreatedPaymentRequest,
    api.PaymentRequest,
    api.ListPaymentRequestsQuery,
    CallOptions & Details
  >(transport, paymentRequestPath, 'payment_request'),
  ...cancelOf<api.PaymentRequest>(transport, paymentRequestPath),
  ...refundsOf(transport, refundPath(paymentRequestPath)),
});

const adhesionPath = '/adhesion';
export const adhesions = (transport: Transport) => ({
  ...nounOf<
    api.CreateAdhesionBody['adhesion'],
    api.Adhesion,
    api.Adhesion,
    api.ListAdhesionsQuery,
    CallOptions
  >(transport, adhesionPath, 'adhesion'),
  ...cancelOf<api.Adhesion>(transport, adhesionPath),
});

const cardAdhesionPath = '/card-adhesion';
export const cardAdhesions = (transport: Transport) => ({
  ...nounOf<
    api.CreateCardAdhesionBody['card_adhesion'],
    api.CardAdhesion,
    api.CardAdhesion,
    api.ListCardAdhesionsQuery,
    CallOptions
  >(transport, cardAdhesionPath, 'card_adhesion'),
  ...cancelOf<api.CardAdhesion>(transport, cardAdhesionPath),
  /** Returns the public key with which card numbers may be encrypted. */
  publicKey: (options?: CallOptions) =>
    transport.json<api.PublicKey>(read(`${cardAdhesionPath}/public-key`), options),
});

const debitPath = '/debit-request';
export const debitRequests = (transport: Transport) => ({
  ...nounOf<
    api.CreateDebitRequestBody['debit_request'],
    api.CreatedDebitRequest,
    api.DebitRequest,
    api.ListDebitRequestsQuery,
    CallOptions & Details
  >(transport, debitPath, 'debit_request'),
  ...cancelOf<api.DebitRequest>(transport, debitPath),
  ...refundsOf(transport, refundPath(debitPath)),
});

const cardDebitPath = '/card-debit-request';
export const cardDebitRequests = (transport: Transport) => ({
  ...nounOf<
    api.CreateCardDebitRequestBody['card_debit_request'],
    api.CreatedCardDebitRequest,
    api.CardDebitRequest,
    api.ListCardDebitRequestsQuery,
    CallOptions & Details
  >(transport, cardDebitPath, 'card_debit_request'),
  ...cancelOf<api.CardDebitRequest>(transport, cardDebitPath),
  ...refundsOf(transport, refundPath(cardDebitPath)),
});

/** Report types by name. */
export interface Reports {
  collection: api.CollectionReport;
  chargeback: api.ChargebackReport;
  refund: api.RefundReport;
  settlement: api.SettlementReport;
  retentions: api.RetentionsReport;
}

export const reports = (transport: Transport) => ({
  /** Returns the whole report of a day (`dd-mm-yyyy`). */
  get: <Kind extends keyof Reports>(kind: Kind, date: string, options?: CallOptions) =>
    transport.json<Reports[Kind]>(readPage(`/report/${kind}/${named(date)}`), options),
  /** Yields the items of a report as they arrive, in constant memory. */
  async *rows<Kind extends keyof Reports>(
    kind: Kind,
    date: string,
    options?: CallOptions,
  ): AsyncGenerator<Reports[Kind]['data'][number], void, undefined> {
    const call = read(`/report/${kind}/${named(date)}`);
    const body = await transport.stream(call, 'application/json', options);
    const answer = { status: 200, contentType: 'application/json', excerpt: '' };
    const context = { method: call.method, path: call.path, attempts: 1 };
    yield* rowsOf<Reports[Kind]['data'][number]>(
      body,
      (problem) => new UnexpectedAnswerError(problem, answer, context),
    );
  },
  /** Streams a report as CSV, with a header line. */
  csv: (kind: keyof Reports, date: string, options?: CallOptions) =>
    transport.stream(read(`/report/${kind}/${named(date)}`), 'text/csv', options),
});

export const events = (transport: Transport) => ({
  /**
   * Yields the events of the feed up to now. Store the `position` of the last event you processed,
   * and pass it as `after` next time.
   */
  async *list(
    filters: api.ListEventsQuery = {},
    options?: CallOptions,
  ): AsyncGenerator<api.Event, void, undefined> {
    let after = filters.after;
    for (;;) {
      const call = readPage('/event', { limit: 100, ...filters, after });
      const { data, next } = await transport.json<api.EventList>(call, options);
      yield* data;
      if (data.length === 0 || (next ?? after) === after) return;
      after = next;
    }
  },
  /** Returns the current end of the feed. Pass it as `after` to skip all earlier events. */
  latest: async (options?: CallOptions) =>
    (await transport.json<api.EventList>(readPage('/event', { after: 'latest' }), options)).next,
  types: async (options?: CallOptions) =>
    (await transport.json<api.EventTypeList>(readPage('/event-type'), options)).data,
  /** Returns the deliveries of an event, with all attempts. */
  deliveries: async (id: number, options?: CallOptions) =>
    (await transport.json<api.DeliveryList>(readPage(`/event/${named(id)}/deliveries`), options))
      .data,
  /** Sends an event again. */
  resend: async (id: number, fields: api.ResendEventBody = {}, options?: CallOptions) =>
    (
      await transport.json<api.DeliveryList>(
        { ...post(`/event/${named(id)}/resend`, fields), shape: 'page' },
        options,
      )
    ).data,
});

const webhookPath = (id: number) => `/webhook/${named(id)}`;

export const webhookCalls = (transport: Transport) => ({
  /** Registers an address. Store the returned secret: it is shown only once. */
  create: (webhook: api.CreateWebhookBody['webhook'], options?: CallOptions) =>
    transport.json<api.CreatedWebhook>(post('/webhook', { webhook }), options),
  list: async (options?: CallOptions) =>
    (await transport.json<api.WebhookList>(readPage('/webhook'), options)).data,
  /** Changes its address or event types; the secret stays. */
  update: (id: number, webhook: api.UpdateWebhookBody['webhook'], options?: CallOptions) =>
    transport.json<api.Webhook>(call('PUT', webhookPath(id), 'safe', { webhook }), options),
  delete: (id: number, options?: CallOptions) =>
    transport.json<api.Webhook>(call('DELETE', webhookPath(id), 'once'), options),
  /**
   * Issues a new secret; the old one also signs for a day, unless `revoke_now` is set. Repeating
   * the call within a day, or a minute with `revoke_now`, returns the same secret.
   */
  rotateSecret: (id: number, fields: api.RotateWebhookSecretBody = {}, options?: CallOptions) =>
    transport.json<api.RotatedWebhook>(
      call('POST', `${webhookPath(id)}/rotate-secret`, 'once', fields),
      options,
    ),
});

export const sandbox = (transport: Transport) => ({
  /** Pays a request as its payer would; by default the amount due, in cash. */
  pay: (requestId: number, fields: api.PayInSandboxBody = {}, options?: CallOptions) =>
    transport.json<api.SandboxRequest>(post(`/sandbox/pay/${named(requestId)}`, fields), options),
  chargeback: (
    requestId: number,
    fields: api.ChargeBackInSandboxBody = {},
    options?: CallOptions,
  ) =>
    transport.json<api.SandboxRequest>(
      post(`/sandbox/chargeback/${named(requestId)}`, fields),
      options,
    ),
  refund: (requestId: number, fields: api.RefundInSandboxBody = {}, options?: CallOptions) =>
    transport.json<api.SandboxRequest>(
      post(`/sandbox/refund/${named(requestId)}`, fields),
      options,
    ),
  clock: {
    get: (options?: CallOptions) =>
      transport.json<api.SandboxClock>(read('/sandbox/clock'), options),
    /** Advances the business clock of the whole deployment, and runs the work that falls due. */
    advance: (fields: api.MoveSandboxClockBody, options?: CallOptions) =>
      transport.json<api.SandboxClock>(post('/sandbox/clock', fields), options),
  },
});

export const helpers = (transport: Transport) => ({
  /** Returns the card plans and installments for an amount. */
  installments: (amount: number | string, options?: CallOptions) =>
    transport.json<api.GetChannelInstallmentsAnswer>(
      { ...read(`/helper/channel-installments/${named(amount)}`), shape: 'items' },
      options,
    ),
  /** Returns the nth business day after a date, in ISO 8601. */
  nextBusinessDay: (
    next_business_day: api.GetNextBusinessDayBody['next_business_day'],
    options?: CallOptions,
  ) =>
    transport.json<string>(
      {
        ...post('/validator/next-business-day', { next_business_day }),
        ...{ repeat: 'safe', shape: 'text' },
      },
      options,
    ),
});
