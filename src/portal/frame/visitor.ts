import type { FastifyRequest } from 'fastify';
import type { SignedIn } from '../../users/index.ts';
import { browserOf } from './browser.ts';
import { flowsIn } from './cookie.ts';
import { formToken, isFormToken } from './forgery.ts';
import { langOf } from './lang.ts';
import { pageAddress } from './page-address.ts';
import type { UploadForm } from './upload.ts';
import type { OpenVisit, OwnVisit } from './visit.ts';

export function visitOf(request: FastifyRequest, secure: boolean): OpenVisit {
  const [path = '', query = ''] = request.url.split('?');
  const { body } = request;
  const posted = body instanceof URLSearchParams ? body : new URLSearchParams();
  return {
    lang: langOf(request),
    path,
    params: (request.params ?? {}) as Record<string, string>,
    query: new URLSearchParams(query),
    posted,
    page: pageAddress(request, posted),
    browser: browserOf(request, secure),
    flows: flowsIn(request, secure),
    requestId: request.id,
  };
}

/** Builds a signed-in user's visit. `secret` is the session's. */
export const ownVisitOf = (
  request: FastifyRequest,
  who: SignedIn,
  { secret, sent, secure }: { secret: string; sent: UploadForm | null; secure: boolean },
): OwnVisit => ({
  ...visitOf(request, secure),
  ...(sent && { posted: sent.posted, page: pageAddress(request, sent.posted) }),
  file: sent?.file ?? null,
  ...who,
  lang: langOf(request, who.user.lang),
  actor: { kind: 'user', id: who.user.id },
  token: (action) => formToken(secret, action),
  isToken: (token, action) => isFormToken(token, secret, action),
});
