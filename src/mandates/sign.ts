import { isoDateTime } from '../kernel/dates.ts';
import type { Actor } from '../platform/actor.ts';
import type { Base } from '../platform/base.ts';
import type { Mail } from '../platform/mail/queue.ts';
import type { EndMandate } from './end.ts';
import type { Evidence, MandateKey, MandateRow } from './mandate.ts';
import { signMandate } from './move.ts';
import type { SigningEmail } from './signing-email.ts';
import { comments } from './states.ts';
import { readMandates } from './store.ts';

/** The signer, their browser, and the displayed text. */
export interface Signer {
  key: MandateKey;
  actor: Actor;
  address: string;
  userAgent: string;
  text: string;
  /** The copy to mail to the holder once the answer is stored. */
  copy?: SigningEmail;
}

export interface AnswerMandate {
  /** Signs the mandate. `done` is false if it no longer awaits an answer. */
  sign(signer: Signer): Promise<{ done: boolean; row: MandateRow | null }>;
  decline(signer: Signer): Promise<{ done: boolean; row: MandateRow | null }>;
  /**
   * Revokes a signature. Ends the mandate and its pending debits. `done` is false if it is not
   * signed.
   */
  revoke(signer: Signer): Promise<{ done: boolean; row: MandateRow | null }>;
}

/** Browsers may send any text, so truncate it. */
const longestUserAgent = 500;

/** Records a holder's answer with its evidence. */
export function answerMandates(base: Base, end: EndMandate): AnswerMandate {
  const { sql, clocks, recordIds } = base;
  const evidenceOf = ({ address, userAgent, text }: Signer): Evidence => ({
    at: isoDateTime(clocks.business.now()),
    address,
    user_agent: userAgent.slice(0, longestUserAgent),
    text,
  });
  const mailOf = async ({ key, copy }: Signer): Promise<Mail | undefined> =>
    copy && { accountId: key.accountId, id: await recordIds.next(), counts: false, ...copy };
  const ending = async (signer: Signer, move: 'decline' | 'revoke', comment: string) => {
    const mail = await mailOf(signer);
    const { ended, row } = await end({
      key: signer.key,
      move,
      comment,
      actor: signer.actor,
      evidence: evidenceOf(signer),
      ...(mail && { mail }),
    });
    return { done: ended, row };
  };
  return {
    async sign(signer) {
      const { key, actor } = signer;
      const eventId = await recordIds.next();
      const mail = await mailOf(signer);
      const signing = { key, actor, evidence: evidenceOf(signer), mail };
      const moments = { now: clocks.business.now(), wallNow: clocks.wall.now() };
      const signed = await signMandate(sql, signing, eventId, moments);
      if (signed) return { done: true, row: signed };
      const [row = null] = await readMandates(sql, [key]);
      return { done: false, row };
    },
    decline: (signer) => ending(signer, 'decline', comments.declined),
    revoke: (signer) => ending(signer, 'revoke', comments.revoked),
  };
}
