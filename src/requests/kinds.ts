import type { Queryable } from '../platform/postgres/connect.ts';
import type { RequestRow } from './row.ts';
import type { Move, RequestKind } from './states.ts';

/**
 * Changes of a request that leave an event: its creation, every move, and changes without a move.
 */
type Happening =
  | 'create'
  | Move
  | 'ask_refund'
  | 'fail_refund'
  | 'dispute'
  | 'reschedule'
  | 'postpone'
  | 'open'
  | 'resend_mail'
  | 'unsubscribe'
  | 'resubscribe';

/** Properties of a kind, for code that handles requests of every kind. */
interface KindFacts {
  /** Its public name, in events too: its number, or its creator's code. */
  namedBy: 'id' | 'code';
  /** The verb of an event's type. */
  events: Readonly<Record<Happening, string>>;
  /** True if it has public pages with a link. */
  linked: boolean;
  /** The event of several that one call creates; null if each has its own call. */
  together: { entity: string; type: string } | null;
}

const events = {
  create: 'created',
  edit: 'edited',
  submit: 'submitted',
  retry: 'retried',
  collect: 'paid',
  reject: 'rejected',
  expire: 'expired',
  cancel: 'canceled',
  delete: 'deleted',
  revert: 'reverted',
  refund: 'refunded',
  // A refund in progress, and a failed one: the state stays.
  ask_refund: 'refund_requested',
  fail_refund: 'refund_failed',
  // A payment is disputed, or its dispute changed: the state follows the money.
  dispute: 'disputed',
  // The bank calendar changed: for a debit's run, and for money not yet available.
  reschedule: 'rescheduled',
  postpone: 'availability_moved',
  // The first visit to its checkout.
  open: 'opened',
  // Of the mails to its payer.
  resend_mail: 'mail_resent',
  unsubscribe: 'unsubscribed',
  resubscribe: 'resubscribed',
} as const satisfies Record<Happening, string>;

/** The one table of the kinds; their lives are in states.ts. */
const kinds: Readonly<Record<RequestKind, KindFacts>> = {
  payment_request: { namedBy: 'id', events, linked: true, together: null },
  debit_request: { namedBy: 'id', events, linked: false, together: null },
  card_debit_request: { namedBy: 'id', events, linked: false, together: null },
  qr: {
    namedBy: 'code',
    // A QR has one event for every return of money: its creator receives `refunded`.
    events: { ...events, revert: 'refunded' },
    linked: true,
    together: { entity: 'qr_batch', type: 'qr_batch.saved' },
  },
};

/** Kinds whose requests have pages with links. */
export const linkedKinds: readonly string[] = Object.entries(kinds).flatMap(([kind, { linked }]) =>
  linked ? [kind] : [],
);

export const requestKinds = Object.keys(kinds) as readonly RequestKind[];

/** The event's name for a change: `paid` of `qr.paid`. */
export const eventOf = (kind: RequestKind, happening: Happening): string =>
  kinds[kind].events[happening];

/** True if events use another name than the number of reports. */
export const hasNameOfItsOwn = (kind: RequestKind): boolean => kinds[kind].namedBy === 'code';

/** The subject of an event. */
export interface Entity {
  entity: string;
  entityId: string;
}

/** Names a request in events. */
export const entityOf = ({ kind, id, code }: Pick<RequestRow, 'kind' | 'id' | 'code'>): Entity => ({
  entity: kind,
  entityId: hasNameOfItsOwn(kind) && code !== null ? code : String(id),
});

/** Returns subject and type of the shared event of several requests. */
export function togetherOf(kind: RequestKind): { entity: string; type: string } {
  const { together } = kinds[kind];
  if (!together) throw new Error(`each ${kind} is made by a call of its own`);
  return together;
}

const namedByCode = Object.entries(kinds).flatMap(([kind, { namedBy }]) =>
  namedBy === 'code' ? [kind] : [],
);

/** The same of a row of the table called `r`. */
export const entityIdIn = (sql: Queryable) => sql`
  case when r.kind = any(${namedByCode}::text[]) and r.code is not null then r.code
    else r.id::text end`;
