import type { FastifyReply } from 'fastify';
import type { PayerAction } from '../money/channels/index.ts';
import type { CheckoutParts, Visit } from './page.ts';
import { waits } from './state-page.ts';

/** The origins of the frames that the page of a request may hold: none, as a rule. */
export function framesOn(visit: Visit, action: PayerAction | null, parts: CheckoutParts): string[] {
  if (action) return action.kind === 'frame' && action.url ? [new URL(action.url).origin] : [];
  if (waits(visit)) return [];
  const forms = (['credit_card', 'debit_card', 'DEBIN'] as const).map((code) =>
    parts.connected.choose(code)?.form(code),
  );
  return [...new Set(forms.flatMap((form) => (form?.kind === 'frame' ? [form.origin] : [])))];
}

/** Lets these origins into the page, and nothing else that was not let in before. */
export function allowFrames(reply: FastifyReply, origins: readonly string[]): void {
  const name = 'content-security-policy';
  const policy = reply.getHeader(name);
  if (origins.length === 0 || typeof policy !== 'string') return;
  reply.header(name, `${policy};frame-src ${origins.join(' ')}`);
}
