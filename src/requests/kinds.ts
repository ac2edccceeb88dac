import type { Queryable } from '../platform/postgres/connect.ts';
import type { RequestRow } from './row.ts';
import type { Move, RequestKind } from './states.ts';

/**
 * Changes to a request that record an event: its creation, every move, and changes without a move.
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

/** Properties of a kind, for code that handles every kind. */
interface KindFacts {
  /** The public name of a request: `id` is its number, `code` the id that its creator chose. */
  namedBy: 'id' | 'code';
  /** Verbs of event types. */
  events: Readonly<Record<Happening, string>>;
  /** True if it has public pages. */
  linked: boolean;
  /** The shared event of several requests from one call. Null if each call makes one. */
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
  // A refund was requested or failed. The state stays the same.
  ask_refund: 'refund_requested',
  fail_refund: 'refund_failed',
  // A dispute began or changed. The state follows the money.
  dispute: 'disputed',
  // The bank calendar moved a debit's run, or the day that money becomes available.
  reschedule: 'rescheduled',
  postpone: 'availability_moved',
  // The first visit to its checkout.
  open: 'opened',
  // An email was sent to its payer again.
  resend_mail: 'mail_resent',
  unsubscribe: 'unsubscribed',
  resubscribe: 'resubscribed',
} as const satisfies Record<Happening, string>;

/** The table of kinds. states.ts has their transitions. */
const kinds: Readonly<Record<RequestKind, KindFacts>> = {
  payment_request: { namedBy: 'id', events, linked: true, together: null },
  debit_request: { namedBy: 'id', events, linked: false, together: null },
  card_debit_request: { namedBy: 'id', events, linked: false, together: null },
  qr: {
    namedBy: 'code',
    // A QR has one event for every kind of reversal, because its creator receives `refunded`.
    events: { ...events, revert: 'refunded' },
    linked: true,
    together: { entity: 'qr_batch', type: 'qr_batch.saved' },
  },
};

export const linkedKinds: readonly string[] = Object.entries(kinds).flatMap(([kind, { linked }]) =>
  linked ? [kind] : [],
);

export const requestKinds = Object.keys(kinds) as readonly RequestKind[];

/** Returns the event's name for a change: `paid` of `qr.paid`. */
export const eventOf = (kind: RequestKind, happening: Happening): string =>
  kinds[kind].events[happening];

/** Returns true if events name the request by its code, not by its number. */
export const hasNameOfItsOwn = (kind: RequestKind): boolean => kinds[kind].namedBy === 'code';

export interface Entity {
  entity: string;
  entityId: string;
}

/** Returns a request's name in events. */
export const entityOf = ({ kind, id, code }: Pick<RequestRow, 'kind' | 'id' | 'code'>): Entity => ({
  entity: kind,
  entityId: hasNameOfItsOwn(kind) && code !== null ? code : String(id),
});

/** Returns subject and type of several requests' shared event. */
export function togetherOf(kind: RequestKind): { entity: string; type: string } {
  const { together } = kinds[kind];
  if (!together) throw new Error(`each ${kind} is made by a call of its own`);
  return together;
}

const namedByCode = Object.entries(kinds).flatMap(([kind, { namedBy }]) =>
  namedBy === 'code' ? [kind] : [],
);

/** Builds the SQL expression of a request's name in events, for a row of `r`. */
export const entityIdIn = (sql: Queryable) => sql`
  case when r.kind = any(${namedByCode}::text[]) and r.code is not null then r.code
    else r.id::text end`;
