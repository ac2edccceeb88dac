import type { CallOptions, ClientOptions } from './options.ts';
import { qr } from './qr.ts';
import {
  adhesions,
  cardAdhesions,
  cardDebitRequests,
  debitRequests,
  events,
  helpers,
  paymentRequests,
  reports,
  sandbox,
  webhookCalls,
} from './resources.ts';
import { Transport } from './transport.ts';
import type { Account, AccountBalances } from './types.ts';
import { verifyWebhook } from './webhooks.ts';

/** A client for one account. Create one instance and reuse it; it needs no closing. */
export class Recaudo {
  readonly #transport: Transport;
  readonly paymentRequests: ReturnType<typeof paymentRequests>;
  readonly adhesions: ReturnType<typeof adhesions>;
  readonly cardAdhesions: ReturnType<typeof cardAdhesions>;
  readonly debitRequests: ReturnType<typeof debitRequests>;
  readonly cardDebitRequests: ReturnType<typeof cardDebitRequests>;
  readonly qr: ReturnType<typeof qr>;
  readonly reports: ReturnType<typeof reports>;
  readonly events: ReturnType<typeof events>;
  readonly webhooks: ReturnType<typeof webhookCalls> & { verify: typeof verifyWebhook };
  readonly sandbox: ReturnType<typeof sandbox>;
  readonly helpers: ReturnType<typeof helpers>;

  constructor(options: ClientOptions) {
    const transport = new Transport(options);
    this.#transport = transport;
    this.paymentRequests = paymentRequests(transport);
    this.adhesions = adhesions(transport);
    this.cardAdhesions = cardAdhesions(transport);
    this.debitRequests = debitRequests(transport);
    this.cardDebitRequests = cardDebitRequests(transport);
    this.qr = qr(transport);
    this.reports = reports(transport);
    this.events = events(transport);
    this.webhooks = { ...webhookCalls(transport), verify: verifyWebhook };
    this.sandbox = sandbox(transport);
    this.helpers = helpers(transport);
  }

  /** Returns the account that owns the key, with its balances. */
  account(options?: CallOptions): Promise<Account> {
    return this.#transport.json({ method: 'GET', path: '/account', repeat: 'safe' }, options);
  }

  balances(options?: CallOptions): Promise<AccountBalances> {
    const path = '/account/balances';
    return this.#transport.json({ method: 'GET', path, repeat: 'safe' }, options);
  }
}
