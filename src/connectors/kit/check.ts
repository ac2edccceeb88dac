import type { Session } from './session.ts';

/** A guarantee of the protocol, and how to verify it. */
export interface Check {
  /** As a complete sentence. */
  guarantee: string;
  try: (session: Session) => Promise<void>;
}
