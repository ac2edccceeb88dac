/** What the imagined acquirer keeps of a sale. */
export interface Sale {
  id: string;
  reference: string;
  state: 'paid' | 'refused' | 'in_review' | 'voided';
  reason: string | null;
  amount: number;
  refunds: { id: string; key: string; amount: number }[];
  at: string;
  notify: string | null;
  /** What a wallet scanned. */
  code: string | null;
  /** The network's id of it; missing: a wallet paid it. */
  network_id?: string;
  /** What its authentication came to; missing: there was none. */
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
