/** A notice of a connector that this release could not read. */
export interface LetterView {
  id: number;
  connector: string;
  /** Its JSON, without card numbers. */
  body: string;
  fault: string;
  heard_at: Temporal.Instant;
  state: 'open' | 'replayed' | 'discarded';
  decided_at: Temporal.Instant | null;
  decided_by: string | null;
  note: string | null;
}
