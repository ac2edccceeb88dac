/** The imagined acquirer's record of a sale. */
export interface Sale {
  id: string;
  reference: string;
  state: 'paid' | 'held' | 'refused' | 'in_review' | 'voided';
  /** Until when its issuer holds the amount; missing: it is taken at once. */
  held_until?: string;
  /** By which token it was ordered; decides how its capture or void goes. */
  token?: string;
  reason: string | null;
  amount: number;
  refunds: { id: string; key: string; amount: number }[];
  at: string;
  notify: string | null;
  /** The code that a wallet scanned. */
  code: string | null;
  /** The network's id of it; missing: a wallet paid it. */
  network_id?: string;
  /** The result of its authentication; missing: none. */
  secure?: { status: 'Y' | 'A'; shift: boolean; version: string };
  /** Missing: nobody disputes it. */
  dispute?: {
    id: string;
    version: number;
    status: 'open' | 'won' | 'lost';
    amount: number;
    held: number;
    evidence_until: string;
  };
}
