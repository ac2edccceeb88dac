import type { FastifyRequest } from 'fastify';
import { refuseCardNumber } from './card-guard.ts';
import { leftForm, postedIn } from './form.ts';
import { channelIn } from './pay-here.ts';
import type { FormState } from './views/model.ts';

/** Reads a posted form. Rejects card numbers. */
export const postedOf = ({ body }: FastifyRequest) => refuseCardNumber(postedIn(body));

/**
 * Reads the card that a frame without scripts passed on in its redirect. Returns null for other
 * visits.
 */
export function handedOn({ query }: FastifyRequest): FormState | null {
  const { holder_name: name, ...others } = postedIn(query);
  if (others.token === undefined) return null;
  const handed = { ...others, ...(name !== undefined && { card_holder_name: name }) };
  const posted = refuseCardNumber(handed);
  return leftForm(channelIn(posted), posted);
}
