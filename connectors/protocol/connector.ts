import type {
  AccountOutcome,
  CancelOrder,
  CardOutcome,
  ChargeList,
  ChargeOrder,
  ForgetOrder,
  HoldOrder,
  KeepOrder,
  Manifest,
  OpenOrder,
  Outcome,
  RefundOrder,
  RefundOutcome,
  SettlementList,
  TestCase,
  TestCaseName,
  TestPaid,
  TestPayment,
  TransferList,
} from './messages.ts';

/** The stored part of an order, with its outcome: never the instrument. */
export interface StoredCharge {
  channel: ChargeOrder['channel'];
  amount: number;
}
export type StoredRefund = Pick<
  RefundOrder,
  'reference' | 'charged' | 'refunded_before' | 'amount'
>;

/** The stored part of a card, with its outcome: never its token. */
export type StoredCard = Pick<KeepOrder, 'channel'>;

/** The ordered end of an authorized charge. */
export interface StoredHold {
  end: 'capture' | 'void';
  amount: number;
}

/** Accounts for transfers store nothing but the answer. */
export type StoredAccount = Record<string, never>;

/** The journal's record of an order that was, or may have been, sent. */
export interface JournalEntry<Kept, Told> {
  kept: Kept;
  /** The business time of its PUT, or the wall-clock time of a payment that a network started. */
  begunAt: string;
  /** The last answer; null if none came, so the outcome is unknown. */
  outcome: Told | null;
  /** The connector's own note on it. */
  memo: unknown;
}
export type KnownCharge = JournalEntry<StoredCharge, Outcome>;
export type KnownRefund = JournalEntry<StoredRefund, RefundOutcome>;

/** Context of each call of a connector's function. */
export interface Call {
  /** Aborts after the manifest's `answers_within_s`, or after 60 s for lists and test calls. */
  signal: AbortSignal;
  /** Stores a note on disk for later calls about the same order. */
  remember: (memo: unknown) => Promise<void>;
}
/** Calls about a charge. */
export interface ChargeCall extends Call {
  /** Stores the acquirer's name for the charge on disk; `attemptOf` resolves it. */
  name: (name: string) => Promise<void>;
}

export interface Inquiry<What> {
  attempt: string;
  account: ChargeOrder['account'];
  businessTime: string;
  /** Null if no such order was ever received here, or its entry was pruned or lost. */
  known: What | null;
}
export interface CardInquiry {
  card: string;
  account: ChargeOrder['account'];
  businessTime: string;
  known: JournalEntry<StoredCard, CardOutcome>;
}
export type ChargeInquiry = Inquiry<KnownCharge>;
export type RefundInquiry = Inquiry<KnownRefund> & { refund: string };

export interface ListQuery {
  from: string;
  until: string;
  after: string | null;
  /** The account's credentials; null for the connector's own. */
  account: ChargeOrder['account'] | null;
  /** Returns the business time of an order received here; null if there is none. */
  begunAt: (attempt: string) => string | null;
}

export interface PageRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: string;
}
export interface Page {
  status: number;
  headers: Record<string, string>;
  body: string | Buffer;
}

/** Access of a connector's pages to charges. */
export interface Charges {
  known: (attempt: string) => KnownCharge | null;
  remember: (attempt: string, memo: unknown) => Promise<void>;
}

/**
 * A connector without its HTTP, which `serve.ts` adds. Each function either answers or throws:
 * NeverSent and Unfit mean that nothing reached the acquirer; anything else leaves the outcome
 * unknown, and the service asks again later.
 */
export interface Connector {
  manifest: Manifest;
  /** Called once for each attempt, after its order is on disk. */
  charge: (order: ChargeOrder, call: ChargeCall) => Promise<Outcome>;
  /** Returns the acquirer's outcome, or null if it has nothing under this id. */
  inquire: (inquiry: ChargeInquiry, call: Call) => Promise<Outcome | null>;
  /** For channels that can cancel a pending charge: returns the outcome after the attempt. */
  cancel?: (order: CancelOrder, known: KnownCharge | null, call: Call) => Promise<Outcome>;
  /**
   * For channels with `captures`: ends a charge whose order had `authorize_only`.
   * Called once, and again only while `inquire` answers `authorized`, or null after
   * `settles_within_s`. If the acquirer refuses, query it first: a call whose answer was lost may
   * have arrived.
   */
  holds?: {
    capture: (order: HoldOrder, known: KnownCharge | null, call: Call) => Promise<Outcome>;
    void: (order: HoldOrder, known: KnownCharge | null, call: Call) => Promise<Outcome>;
  };
  /**
   * Refunds a charge, unless the acquirer's own record already shows this refund. Refunds of one
   * charge run one after another; `before` is the amount refunded without this one.
   */
  refund?: (order: RefundOrder, before: number, call: Call) => Promise<RefundOutcome>;
  /** Returns the acquirer's record of a refund, or null if there is none. */
  refundState?: (
    inquiry: RefundInquiry,
    before: number,
    call: Call,
  ) => Promise<RefundOutcome | null>;
  /** Cards on file, for channels with `keeps_cards`. */
  cards?: {
    /** Called once for each card, after its order is on disk. */
    keep: (order: KeepOrder, call: Call) => Promise<CardOutcome>;
    /** Returns the acquirer's record of a card that is unconfirmed or may have changed, or null. */
    find: (inquiry: CardInquiry, call: Call) => Promise<CardOutcome | null>;
    /** Makes a card unchargeable; a card that is already gone is no fault. */
    forget: (order: ForgetOrder, call: Call) => Promise<void>;
  };
  /** Accounts for transfers, for channels with `opens_accounts`. */
  accounts?: {
    /**
     * Opens a reference's account, or returns the one that is already open. `known` is the result
     * of an earlier call; if the bank would open a second account, search its list first.
     */
    open: (
      order: OpenOrder,
      known: JournalEntry<StoredAccount, AccountOutcome> | null,
      call: Call,
    ) => Promise<AccountOutcome>;
  };
  list: (query: ListQuery, call: Call) => Promise<ChargeList>;
  /** For connectors that report transfers: lists those that arrived. */
  listTransfers?: (query: ListQuery, call: Call) => Promise<TransferList>;
  /** For connectors whose manifest has `settlements`: lists the payout lines of these days. */
  listSettlements?: (query: ListQuery, call: Call) => Promise<SettlementList>;
  /**
   * Serves unsigned calls, such as frames, their assets and the acquirer's notices; null if there
   * is no such page.
   */
  page?: (request: PageRequest, charges: Charges) => Promise<Page | null>;
  /** A repeated task, such as a listing that finds missed notices. It ends early once stopped. */
  background?: { everyMs: number; run: (stopped: AbortSignal) => Promise<void> };
  /** Test set-ups only: makes a wallet pay a code at the acquirer. */
  testPayment?: (order: TestPayment, call: Call) => Promise<TestPaid>;
  /** Test set-ups only: creates an instrument for a case of the manifest. */
  testInstrument?: (name: TestCaseName, call: Call) => Promise<TestCase['instrument']>;
}

/** Nothing was sent: the attempt is closed, and a new one may start. */
export class NeverSent extends Error {
  /** A configuration fault that the operator must fix. */
  readonly alarm: string | null;
  constructor(message: string, { alarm = null }: { alarm?: string | null } = {}) {
    super(message);
    this.alarm = alarm;
  }
}

/**
 * The order can never be sent as it is. Thrown by `charge`, `cards.keep` or `accounts.open`, it
 * rejects the order; elsewhere it is answered with 422.
 */
export class Unfit extends Error {}
