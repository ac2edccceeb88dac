import type { FastifyRequest } from 'fastify';
import { refuseCardNumber } from './card-guard.ts';
import { leftForm, postedIn } from './form.ts';
import { channelIn } from './pay-here.ts';
import type { FormState } from './views/model.ts';

/** What a form posted, which is never the number of a card. */
export const postedOf = ({ body }: FastifyRequest) => refuseCardNumber(postedIn(body));

/** The card with which a frame without scripts sent its payer back; null: he came otherwise. */
export function handedOn({ query }: FastifyRequest): FormState | null {
  const { holder_name: name, ...others } = postedIn(query);
  if (others.token === undefined) return null;
  const handed = { ...others, ...(name !== undefined && { card_holder_name: name }) };
  const posted = refuseCardNumber(handed);
  return leftForm(channelIn(posted), posted);
}
