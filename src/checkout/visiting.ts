import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Account } from '../accounts/index.ts';
import { stateOn } from '../requests/index.ts';
import { langOf, notFound, unavailable } from './failures.ts';
import type { Visit } from './page.ts';
import type { PayParts } from './pay-here.ts';
import type { Lang } from './views/model.ts';

export interface VisitParts extends PayParts {
  readAccount(id: string): Promise<Account | null>;
}

export interface TokenRequest {
  Params: { token: string };
  Querystring: { lang?: string };
}

/**
 * Returns true if the account accepts no online payments because it is suspended or closed.
 * Payments made or in progress stay visible, so that their payer does not believe they failed.
 */
const takesNothing = ({ account, row, today, attempt }: Visit): boolean =>
  account.state !== 'active' && attempt === null && stateOn(row, today) === 'pending';

type Handle = (
  visit: Visit,
  request: FastifyRequest<TokenRequest>,
  reply: FastifyReply,
) => Promise<FastifyReply>;

/**
 * Returns functions that find the request of a link, and answer if there is none or it cannot be
 * paid.
 */
export function visiting(parts: VisitParts) {
  const visitOf = async (token: string, lang: Lang): Promise<Visit | null> => {
    const key = parts.links.keyOf(token);
    if (!key) return null;
    const attempt = await parts.requests.openAttempt(key);
    const found = await parts.requests.find(key);
    const account = found && (await parts.readAccount(found.row.account_id));
    if (!found || !account) return null;
    return { ...found, attempt, account, token, lang, today: parts.business.today() };
  };

  const onVisit =
    (handle: Handle) =>
    async (request: FastifyRequest<TokenRequest>, reply: FastifyReply): Promise<FastifyReply> => {
      const visit = await visitOf(request.params.token, langOf(request));
      if (!visit) return notFound(request, reply);
      if (takesNothing(visit)) return unavailable(request, reply);
      return await handle(visit, request, reply);
    };

  return { visitOf, onVisit };
}

export type Visiting = ReturnType<typeof visiting>;
