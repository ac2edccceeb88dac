/** What an account asks somebody to pay comes in kinds; the interface names them in `type`. */
export type RequestKind = 'payment_request';

export type RequestState = 'pending' | 'paid' | 'expired' | 'reverted' | 'refunded';

/** What moves a request from one state to another. */
export type Move = 'collect' | 'expire' | 'revert' | 'refund';

export interface Transition {
  from: readonly RequestState[];
  to: RequestState;
}

/**
 * The tables of transitions, one for each kind. Money that arrives after expiry, or
 * after earlier money went back, is money received: the request is paid.
 */
export const transitions: Record<RequestKind, Record<Move, Transition>> = {
  payment_request: {
    collect: { from: ['pending', 'expired', 'reverted', 'refunded'], to: 'paid' },
    expire: { from: ['pending'], to: 'expired' },
    revert: { from: ['paid'], to: 'reverted' },
    refund: { from: ['paid'], to: 'refunded' },
  },
};
