import type { Session } from './session.ts';

/** One guarantee of the protocol, and how it is tried. */
export interface Check {
  /** As a complete sentence. */
  guarantee: string;
  try: (session: Session) => Promise<void>;
}
