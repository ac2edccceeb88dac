import { isoDateTime } from '../kernel/dates.ts';
import type { Base } from '../platform/base.ts';
import type { EndMandate } from './end.ts';
import type { Evidence, MandateKey, MandateRow } from './mandate.ts';
import { signMandate } from './move.ts';
import { comments } from './states.ts';
import { readMandates } from './store.ts';

/** Who answers, from where, and what he was shown. */
export interface Signer {
  key: MandateKey;
  actor: string;
  address: string;
  userAgent: string;
  text: string;
}

export interface AnswerMandate {
  /** `done` is false where the mandate does not wait for an answer any more. */
  sign(signer: Signer): Promise<{ done: boolean; row: MandateRow | null }>;
  decline(signer: Signer): Promise<{ done: boolean; row: MandateRow | null }>;
}

/** A browser's name may be any text; more of it is no evidence. */
const longestUserAgent = 500;

/** The holder's answer, kept with the evidence of it. */
export function answerMandates(base: Base, end: EndMandate): AnswerMandate {
  const { sql, clocks, recordIds } = base;
  const evidenceOf = ({ address, userAgent, text }: Signer): Evidence => ({
    at: isoDateTime(clocks.business.now()),
    address,
    user_agent: userAgent.slice(0, longestUserAgent),
    text,
  });
  return {
    async sign(signer) {
      const eventId = await recordIds.next();
      const signed = await signMandate(
        sql,
        { key: signer.key, actor: signer.actor, evidence: evidenceOf(signer) },
        eventId,
        clocks.business.now(),
      );
      if (signed) return { done: true, row: signed };
      const [row = null] = await readMandates(sql, [signer.key]);
      return { done: false, row };
    },
    async decline(signer) {
      const { ended, row } = await end({
        key: signer.key,
        move: 'decline',
        comment: comments.declined,
        actor: signer.actor,
        evidence: evidenceOf(signer),
      });
      return { done: ended, row };
    },
  };
}
