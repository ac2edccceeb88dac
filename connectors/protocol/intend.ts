import { Compile } from 'typebox/compile';
import { request } from 'undici';
import {
  type IntentionAnswer,
  intentionAnswerSchema,
  intentionMs,
  type Notice,
} from './messages.ts';
import { bodyFor, sign } from './signature.ts';

type Intention = Omit<Extract<Notice, { type: 'qr.intention' }>, 'type'>;

/**
 * Asks the service whether a code may be paid now. Always answers in time: without an answer from
 * the service, refuses.
 */
export type Intend = (intention: Intention) => Promise<IntentionAnswer>;

const readAnswer = Compile(intentionAnswerSchema);
const mostAnswerBytes = 64 * 1024;

const unknown: IntentionAnswer = {
  status: 'fail',
  code: 'error',
  reason: 'The service did not answer in time.',
};

export interface IntendOptions {
  secrets: readonly string[];
  serviceUrl: string | null;
  log: (line: Record<string, unknown>) => void;
}

/** Asks about intentions, once each, under the connector's name. */
export const createIntend =
  ({ secrets, serviceUrl, log }: IntendOptions, name: string): Intend =>
  async (intention) => {
    if (serviceUrl === null) return unknown;
    const path = `/connectors/${name}/notices`;
    const body = bodyFor('POST', path, { type: 'qr.intention', ...intention });
    try {
      const answer = await request(`${serviceUrl}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...sign(secrets, body) },
        body,
        signal: AbortSignal.timeout(intentionMs),
      });
      const text = (await answer.body.text()).slice(0, mostAnswerBytes);
      const decision: unknown = answer.statusCode === 200 ? JSON.parse(text) : null;
      if (readAnswer.Check(decision)) return decision;
      log({ level: 'warn', what: 'an intention was not answered', status: answer.statusCode });
    } catch (error) {
      log({ level: 'warn', what: 'an intention was not answered', error: String(error) });
    }
    return unknown;
  };
