import type { Queryable } from '../platform/postgres/connect.ts';
import type { Move, RequestKind } from './states.ts';

/** What happens to a request and leaves an event: its creation, every move, and changes of days. */
type Happening = 'create' | Move | 'ask_refund' | 'fail_refund' | 'reschedule' | 'postpone';

/** What a kind is to whoever handles requests of every kind. */
interface KindFacts {
  /** What events and integrators call one by: its number, or the code that its maker gave it. */
  namedBy: 'id' | 'code';
  /** The part of an event's type that says what happened. */
  events: Readonly<Record<Happening, string>>;
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
  // A refund that is on its way, and one that never arrived: the state stays.
  ask_refund: 'refund_requested',
  fail_refund: 'refund_failed',
  // The bank calendar changed: of a debit's run, and of money that was to become available.
  reschedule: 'rescheduled',
  postpone: 'availability_moved',
} as const satisfies Record<Happening, string>;

/** The one table of the kinds; their lives are in states.ts. */
const kinds: Readonly<Record<RequestKind, KindFacts>> = {
  payment_request: { namedBy: 'id', events },
  debit_request: { namedBy: 'id', events },
  card_debit_request: { namedBy: 'id', events },
  // A QR knows one way back: its maker is told `refunded`, whoever took the money.
  qr: { namedBy: 'code', events: { ...events, revert: 'refunded' } },
};

export const requestKinds = Object.keys(kinds) as readonly RequestKind[];

/** What an event says happened: `paid` of `qr.paid`. */
export const eventOf = (kind: RequestKind, happening: Happening): string =>
  kinds[kind].events[happening];

/** Whether events call it by another name than the number under which reports know it. */
export const hasNameOfItsOwn = (kind: RequestKind): boolean => kinds[kind].namedBy === 'code';

const namedByCode = Object.entries(kinds).flatMap(([kind, { namedBy }]) =>
  namedBy === 'code' ? [kind] : [],
);

/** What events call a row of the table called `r`. */
export const entityIdIn = (sql: Queryable) => sql`
  case when r.kind = any(${namedByCode}::text[]) and r.code is not null then r.code
    else r.id::text end`;
