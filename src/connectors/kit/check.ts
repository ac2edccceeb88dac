import type { Session } from './session.ts';

export interface Check {
  /** A complete sentence, without a capital or a period. */
  guarantee: string;
  try: (session: Session) => Promise<void>;
}
