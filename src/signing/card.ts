import type { FastifyRequest } from 'fastify';
import { isCardBrand } from '../kernel/card-number.ts';
import { isoDateTime } from '../kernel/dates.ts';
import type { Signer } from '../mandates/index.ts';
import { cardBrands } from '../money/channels/index.ts';
import { statementOf } from './texts.ts';
import type { SignWay } from './views.tsx';
import { copyOf, isUnnamed, type SigningParts, subjectOf, type Visit } from './visit.ts';

/**
 * Returns how the holder can sign. `waiting`: the connector that stores the card has not answered.
 */
export async function signWay(
  { row, key, lang }: Visit,
  { mandates: { cards }, links }: SigningParts,
): Promise<SignWay | 'waiting'> {
  if (!isUnnamed(row)) return 'button';
  const standing = await cards.standing(key);
  if (standing === 'sent') return 'waiting';
  const way = cards.way();
  if (!way) return 'unavailable';
  const url = new URL(way.frame.url);
  url.searchParams.set('lang', lang);
  url.searchParams.set('parent', links.origin);
  const { origin } = way.frame;
  return { connector: way.connector, url: url.href, origin, refused: standing === 'refused' };
}

const tokenShape = /^[!-~]{1,512}$/;

/** Sends the card from the frame to the connector that stores it. Success signs the mandate. */
export async function handOver(
  visit: Visit,
  signer: Signer,
  { body }: FastifyRequest,
  parts: SigningParts,
): Promise<void> {
  const posted = Object(body) as Record<string, unknown>;
  const text = (name: string): string => (typeof posted[name] === 'string' ? posted[name] : '');
  const token = text('token');
  // Reject tokens that could be a card number.
  if (!tokenShape.test(token) || /\d{12}/.test(token.replace(/[ -]/g, ''))) return;
  const { address, userAgent } = signer;
  const brand = text('brand');
  const lastFour = /^[0-9]{4}$/.test(text('last_four')) ? text('last_four') : null;
  const label =
    isCardBrand(brand) && lastFour ? `${cardBrands[brand].label} •••• ${lastFour}` : null;
  const subject = { ...subjectOf(visit), ...(label !== null && { instrument: label }) };
  await parts.mandates.cards.handOver({
    key: visit.key,
    connector: text('connector'),
    token: {
      token,
      brand: isCardBrand(brand) ? brand : null,
      bin: /^[0-9]{6,8}$/.test(text('bin')) ? text('bin') : null,
      lastFour,
      holderName: text('card_holder_name').slice(0, 255) || null,
    },
    payer: { name: visit.row.payer, email: visit.row.email, ip: address, userAgent },
    signing: {
      evidence: {
        at: isoDateTime(parts.business.now()),
        address,
        user_agent: userAgent.slice(0, 500),
        text: statementOf(visit.lang, subject).join('\n'),
      },
      copy: copyOf(visit, 'signed', parts),
    },
  });
}
