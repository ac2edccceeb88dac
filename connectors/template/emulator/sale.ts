/** A sale in the imaginary acquirer's records. */
export interface Sale {
  id: string;
  reference: string;
  state: 'paid' | 'held' | 'refused' | 'in_review' | 'voided';
  /** Expiry of the issuer's hold; missing if it is captured at once. */
  held_until?: string;
  /** The token charged; decides the result of its capture or void. */
  token?: string;
  reason: string | null;
  amount: number;
  refunds: { id: string; key: string; amount: number }[];
  at: string;
  notify: string | null;
  /** The code that a wallet scanned. */
  code: string | null;
  /** The network's id; missing if a wallet paid. */
  network_id?: string;
  /** Authentication result; missing if there was none. */
  secure?: { status: 'Y' | 'A'; shift: boolean; version: string };
  /** Missing if nobody disputes it. */
  dispute?: {
    id: string;
    version: number;
    status: 'open' | 'won' | 'lost';
    amount: number;
    held: number;
    evidence_until: string;
  };
}
