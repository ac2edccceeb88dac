import type { FastifyReply, FastifyRequest } from 'fastify';
import type { UserVerbs } from '../../users/index.ts';
import type { Answering } from './answering.ts';
import { secretIn } from './cookie.ts';
import { comesFromUs, isFormToken } from './forgery.ts';
import { Forged, readSent, type UploadForm } from './upload.ts';
import type { OwnVisit } from './visit.ts';
import { ownVisitOf, visitOf } from './visitor.ts';

/** Returns the response for visitors who may not send a form, or null. */
type Admits = (visit: OwnVisit, reply: FastifyReply) => Promise<FastifyReply | null>;

interface SessionParts {
  users: Pick<UserVerbs, 'findSession'>;
  origin: string;
  secure: boolean;
}

/** Admits calls with a session, and forms with the session's token. */
export function sessionGate({ users, origin, secure }: SessionParts, { fail }: Answering) {
  /**
   * Reads the form and its file. Checks the token before the file and returns null if it is not
   * ours.
   */
  const sentWith = async (
    request: FastifyRequest,
    { params, posted }: OwnVisit,
    isToken: (token: string) => boolean,
  ): Promise<UploadForm | null> => {
    const holder = params.account_id ?? 'operator';
    try {
      return (await readSent(request, { holder, isToken })) ?? { posted, file: null };
    } catch (error) {
      if (error instanceof Forged) return null;
      throw error;
    }
  };

  return (
    does: (visit: OwnVisit, reply: FastifyReply) => Promise<FastifyReply>,
    { early = false, admits }: { early?: boolean; admits?: Admits } = {},
  ) =>
    async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      const secret = secretIn(request, secure);
      const who = secret === null ? null : await users.findSession(secret);
      const { page } = visitOf(request, secure);
      const next = page === null ? '' : `?next=${encodeURIComponent(page)}`;
      if (secret === null || who === null) {
        return reply.redirect(`/portal/sign-in${next}`, 303);
      }
      if (who.session.factor_due && !early) {
        return reply.redirect(`/portal/sign-in/code${next}`, 303);
      }
      const isForm = request.method === 'POST';
      // Check before reading a file, so that foreign pages cannot make a browser upload to us.
      if (isForm && !comesFromUs(request, origin)) {
        return fail(reply, ownVisitOf(request, who, { secret, sent: null, secure }), 'forged', 403);
      }
      const bare = ownVisitOf(request, who, { secret, sent: null, secure });
      const isToken = (token: string) => isFormToken(token, secret, bare.path);
      if (!admits) {
        if (isForm && !isToken(bare.posted.get('token') ?? '')) {
          return fail(reply, bare, 'forged', 403);
        }
        return await does(bare, reply);
      }
      // Check the permission before receiving the file.
      const refused = await admits(bare, reply);
      if (refused !== null) return refused;
      const sent = await sentWith(request, bare, isToken);
      if (sent === null || !isToken(sent.posted.get('token') ?? '')) {
        return fail(reply, bare, 'forged', 403);
      }
      return await does(ownVisitOf(request, who, { secret, sent, secure }), reply);
    };
}

export type SessionGate = ReturnType<typeof sessionGate>;
