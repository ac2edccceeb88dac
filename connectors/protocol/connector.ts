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
export interface KeptCharge {
  channel: ChargeOrder['channel'];
  amount: number;
}
export type KeptRefund = Pick<RefundOrder, 'reference' | 'charged' | 'refunded_before' | 'amount'>;

/** The stored part of a card, with its outcome: never its token. */
export type KeptCard = Pick<KeepOrder, 'channel'>;

/** The ordered end of an authorised charge. */
export interface KeptHold {
  end: 'capture' | 'void';
  amount: number;
}

/** Of an account for transfers nothing is kept but what was answered. */
export type KeptAccount = Record<string, never>;

/** The journal's record of a charge or refund that was sent, or may have been. */
export interface JournalEntry<Kept, Told> {
  kept: Kept;
  /** The business time of its PUT. */
  begunAt: string;
  /** The last answer; null: none came, so what became of it is not known. */
  outcome: Told | null;
  /** The connector's own note on it. */
  memo: unknown;
}
export type KnownCharge = JournalEntry<KeptCharge, Outcome>;
export type KnownRefund = JournalEntry<KeptRefund, RefundOutcome>;

/** Context of each call of a connector's function. */
export interface Call {
  /** Aborts when the answer would be too late for the manifest. */
  signal: AbortSignal;
  /** Keeps something on disk for later calls about the same charge or refund. */
  remember: (memo: unknown) => Promise<void>;
}
/** Calls about a charge. */
export interface ChargeCall extends Call {
  /** Keeps a name of the acquirer's on disk; `attemptOf` leads from it to the charge. */
  name: (name: string) => Promise<void>;
}

export interface Inquiry<What> {
  attempt: string;
  account: ChargeOrder['account'];
  businessTime: string;
  /** Null: no order of this id was ever taken here, or the journal was lost. */
  known: What | null;
}
export interface CardInquiry {
  card: string;
  account: ChargeOrder['account'];
  businessTime: string;
  known: JournalEntry<KeptCard, CardOutcome>;
}
export type ChargeInquiry = Inquiry<KnownCharge>;
export type RefundInquiry = Inquiry<KnownRefund> & { refund: string };

export interface ListQuery {
  from: string;
  until: string;
  after: string | null;
  /** The account's credentials; null: the connector's. */
  account: ChargeOrder['account'] | null;
  /** When an order was taken here, in business time; null: not here. */
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

/** Queries of a connector's pages about a charge under way. */
export interface Charges {
  known: (attempt: string) => KnownCharge | null;
  remember: (attempt: string, memo: unknown) => Promise<void>;
}

/**
 * A connector, behind the HTTP of `serve.ts`. Each function either answers or throws: NeverSent and
 * Unfit say that nothing reached the acquirer; anything else leaves the outcome unknown, and the
 * service asks again later.
 */
export interface Connector {
  manifest: Manifest;
  /** Called once for each attempt, after it is on disk. */
  charge: (order: ChargeOrder, call: ChargeCall) => Promise<Outcome>;
  /** Returns the acquirer's outcome; null: it has nothing under this id. */
  inquire: (inquiry: ChargeInquiry, call: Call) => Promise<Outcome | null>;
  /** For channels that can call off what is pending: the outcome as it is then. */
  cancel?: (order: CancelOrder, known: KnownCharge | null, call: Call) => Promise<Outcome>;
  /**
   * For channels that `captures` says of: the end of an authorised charge, as `charge` answers it
   * `authorize_only`. Called once, and again only while `inquire` says `authorized`, or says nothing
   * after `settles_within_s`. An acquirer that refuses is asked before it is believed: a call whose
   * answer was lost may have arrived.
   */
  holds?: {
    capture: (order: HoldOrder, known: KnownCharge | null, call: Call) => Promise<Outcome>;
    void: (order: HoldOrder, known: KnownCharge | null, call: Call) => Promise<Outcome>;
  };
  /**
   * Gives back, unless the acquirer's own record shows that this refund had arrived. Refunds of one
   * charge come one after the other; `before` is what went back without this one.
   */
  refund?: (order: RefundOrder, before: number, call: Call) => Promise<RefundOutcome>;
  /** Returns the acquirer's record of a refund; null: none. */
  refundState?: (
    inquiry: RefundInquiry,
    before: number,
    call: Call,
  ) => Promise<RefundOutcome | null>;
  /** Cards on file, for channels whose `keeps_cards` says so. */
  cards?: {
    /** Called once for each card, after it is on disk. */
    keep: (order: KeepOrder, call: Call) => Promise<CardOutcome>;
    /**
     * Returns the acquirer's record of a card whose answer was lost, or that may have changed
     * since; null: none.
     */
    find: (inquiry: CardInquiry, call: Call) => Promise<CardOutcome | null>;
    /** It can be charged no more; one that is gone already is no fault. */
    forget: (order: ForgetOrder, call: Call) => Promise<void>;
  };
  /** Accounts for transfers, for channels whose `opens_accounts` says so. */
  accounts?: {
    /**
     * Opens the account of a reference, or answers the one that was opened for it. `known`: what an
     * earlier call came to; a bank that would open a second one is looked through first.
     */
    open: (
      order: OpenOrder,
      known: JournalEntry<KeptAccount, AccountOutcome> | null,
      call: Call,
    ) => Promise<AccountOutcome>;
  };
  list: (query: ListQuery, call: Call) => Promise<ChargeList>;
  /** For connectors that tell of transfers: those that arrived. */
  listTransfers?: (query: ListQuery, call: Call) => Promise<TransferList>;
  /** For connectors whose manifest has `settlements`: lines of what was paid out on these days. */
  listSettlements?: (query: ListQuery, call: Call) => Promise<SettlementList>;
  /** Frames and what they fetch; null: there is no such page. Nothing of it is signed. */
  page?: (request: PageRequest, charges: Charges) => Promise<Page | null>;
  /** A repeated task: a listing that finds missed notices. */
  background?: { everyMs: number; run: () => Promise<void> };
  /** In test set-ups alone: has a wallet pay a code at the acquirer's. */
  testPayment?: (order: TestPayment, call: Call) => Promise<TestPaid>;
  /** In test set-ups alone: a new instrument for a case of the manifest. */
  testInstrument?: (name: TestCaseName, call: Call) => Promise<TestCase['instrument']>;
}

/** Nothing was sent: the attempt is closed, and a new one may be begun. */
export class NeverSent extends Error {
  /** A fault of configuration that the operator must mend. */
  readonly alarm: string | null;
  constructor(message: string, { alarm = null }: { alarm?: string | null } = {}) {
    super(message);
    this.alarm = alarm;
  }
}

/** The order can never be sent as it is: answered with 422, and nothing was sent. */
export class Unfit extends Error {}
