/** What an account asks somebody to pay comes in kinds; the interface names them in `type`. */
export type RequestKind = 'payment_request' | 'debit_request' | 'card_debit_request' | 'qr';

export type RequestState =
  | 'pending'
  | 'in_process'
  | 'paid'
  | 'rejected'
  | 'expired'
  | 'canceled'
  | 'deleted'
  | 'reverted'
  | 'refunded';

/** What moves a request from one state to another. */
export type Move =
  | 'submit'
  | 'collect'
  | 'reject'
  | 'expire'
  | 'cancel'
  | 'delete'
  | 'revert'
  | 'refund';

export interface Transition {
  from: readonly RequestState[];
  to: RequestState;
}

/** A debit is canceled only before it is submitted; from then on the bank or processor decides. */
const debit = {
  submit: { from: ['pending'], to: 'in_process' },
  collect: { from: ['in_process'], to: 'paid' },
  reject: { from: ['in_process'], to: 'rejected' },
  cancel: { from: ['pending'], to: 'canceled' },
  revert: { from: ['paid'], to: 'reverted' },
  refund: { from: ['paid'], to: 'refunded' },
} as const;

/**
 * The tables of transitions, one for each kind. Money that arrives after expiry, or
 * after earlier money went back, is money received: the request is paid.
 */
export const transitions = {
  payment_request: {
    collect: { from: ['pending', 'expired', 'reverted', 'refunded'], to: 'paid' },
    expire: { from: ['pending'], to: 'expired' },
    revert: { from: ['paid'], to: 'reverted' },
    refund: { from: ['paid'], to: 'refunded' },
  },
  debit_request: debit,
  card_debit_request: debit,
  qr: {
    collect: { from: ['pending', 'expired', 'deleted', 'refunded'], to: 'paid' },
    expire: { from: ['pending'], to: 'expired' },
    delete: { from: ['pending'], to: 'deleted' },
    // A QR has one state for money that went back, whoever took it.
    revert: { from: ['paid'], to: 'refunded' },
    refund: { from: ['paid'], to: 'refunded' },
  },
} as const satisfies Record<RequestKind, Partial<Record<Move, Transition>>>;

/** What a move makes of a request, or null for a move that its kind does not know. */
export function transitionOf(kind: RequestKind, move: Move): Transition | null {
  const moves: Partial<Record<Move, Transition>> = transitions[kind];
  return moves[move] ?? null;
}
