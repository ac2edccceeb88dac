// Longer than 300 lines: every way into the portal goes through one place.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Account } from '../../accounts/index.ts';
import { holdsCardNumber } from '../../kernel/card-text.ts';
import type { Clocks } from '../../platform/clocks.ts';
import { retryAfterOf } from '../../platform/http/answers.ts';
import type { App } from '../../platform/http/server.ts';
import type { Links } from '../../platform/links.ts';
import { allowStyles } from '../../platform/pages/frames.ts';
import { currentErrand } from '../../platform/postgres/deadlines.ts';
import type { Reads } from '../../platform/replica/reads.ts';
import {
  type AccessKind,
  type AccountAct,
  type Act,
  isAccountAct,
  mayDo,
  type UserVerbs,
} from '../../users/index.ts';
import { secretIn, setDevice, setSecret } from './cookie.ts';
import { documentOf, failurePage, type Visit } from './document.tsx';
import { comesFromUs, isFormToken } from './forgery.ts';
import {
  type Admission,
  createGuard,
  NotAdmitted,
  refuseUnlessAdmitted,
  stateFault,
} from './guard.ts';
import { keyed, type Once } from './once.ts';
import type { Failure } from './texts.ts';
import { Forged, readSent, type Sent } from './upload.ts';
import type { AccountVisit, Answer, OpenVisit, OwnVisit, ServiceVisit } from './visit.ts';
import { ownVisitOf, visitOf } from './visitor.ts';

export interface FrameParts {
  users: Pick<UserVerbs, 'roleOf' | 'findSession' | 'recordAccess'>;
  readAccount(id: string): Promise<Account | null>;
  links: Links;
  clocks: Clocks;
  base: { reads: Reads };
  sandbox: boolean;
  /** Learns that a form kept what passes for a card number in a field that may have any digits. */
  cardSeen(accountId: string, member: string): Promise<void>;
}

/** Whoever comes to a page that belongs to an act. */
export type VisitFor<A extends Act> = A extends AccountAct ? AccountVisit : ServiceVisit;

type Does<V> = (visit: V) => Promise<Answer>;

/** The answer to a visitor who may not send a form; null: they may. */
type Admits = (visit: OwnVisit, reply: FastifyReply) => Promise<FastifyReply | null>;

const ofAccount = ({ kind }: Admission): boolean => kind === 'account';

type Refused = Exclude<Admission, { kind: 'account' | 'service' }>;

/** How pages come into the portal: there is no other way. See `index.ts`. */
export interface Portal {
  /** A page that shows something (GET). */
  page<A extends Act>(route: {
    act: A;
    path: string;
    read: Does<VisitFor<A>>;
    /** It has a form that creates something: see `once.ts`. */
    once?: Once;
  }): void;
  /** A form that changes something (POST). */
  form<A extends Act>(route: {
    act: A;
    path: string;
    does: Does<VisitFor<A>>;
    /** A file comes with it: `visit.file`. */
    takesFile?: boolean;
  }): void;
  /** For whoever is signed in, whatever he may do. */
  own(route: {
    path: string;
    read?: Does<OwnVisit>;
    does?: Does<OwnVisit>;
    /** Also before the second factor was shown. */
    early?: true;
  }): void;
  /** For everybody: signing in, and what mails link to. */
  open(route: { path: string; read?: Does<OpenVisit>; does?: Does<OpenVisit> }): void;
}

const hidden = { schema: { hide: true } };

/** Where the pages of an act stand below `/portal`. */
export const addressOfPage = (act: Act, path: string): string =>
  `${isAccountAct(act) ? '/:account_id' : '/operator'}${path === '/' ? '' : path}`;

/** Fields that say themselves what is wrong, may have any digits, or are for cards. */
const checksItself =
  /^(?:.*(?:description|payer_name|holder_name|reference|metadata|token|query|back)|card|card_number)$/;

/** True if a free text of a form holds a card number. */
const holdsCard = (posted: URLSearchParams): boolean =>
  [...posted].some(([name, value]) => !checksItself.test(name) && holdsCardNumber(value));

const failureOf: Partial<Record<Admission['kind'], { failure: Failure; status: number }>> = {
  unknown: { failure: 'notFound', status: 404 },
  forbidden: { failure: 'forbidden', status: 403 },
  suspended: { failure: 'suspended', status: 403 },
  closed: { failure: 'closed', status: 403 },
};

export function createPortal(app: App, parts: FrameParts): Portal {
  const { users, links, sandbox } = parts;
  const { reads } = parts.base;
  const secure = links.origin.startsWith('https://');
  const admit = createGuard({ ...parts, wall: parts.clocks.wall });

  const send = (reply: FastifyReply, visit: Visit, answer: Answer): FastifyReply => {
    if ('to' in answer) {
      if (answer.session !== undefined) setSecret(reply, answer.session, secure);
      if (answer.device) setDevice(reply, answer.device, secure);
      return reply.redirect(answer.to, 303);
    }
    if ('file' in answer) {
      const name = answer.name.replace(/[^\w.-]/g, '_');
      return reply
        .type(answer.type)
        .header('content-disposition', `attachment; filename="${name}"`)
        .send(answer.file);
    }
    allowStyles(reply, answer.styles ?? []);
    const status = answer.status ?? 200;
    const retryAfter = retryAfterOf(status);
    if (retryAfter !== null) reply.header('retry-after', retryAfter);
    return reply
      .code(status)
      .type('text/html; charset=utf-8')
      .send(documentOf(visit, answer, sandbox));
  };

  const fail = (reply: FastifyReply, visit: Visit, failure: Failure, status: number) =>
    send(reply, visit, { ...failurePage(visit.lang, failure, visit.requestId), status });

  const refuse = (reply: FastifyReply, visit: Visit, kind: Admission['kind']): FastifyReply => {
    const { failure, status } = failureOf[kind] ?? { failure: 'failed', status: 500 };
    return fail(reply, visit, failure, status);
  };

  /** The form and its file; null: it is none of ours, which is known before the file is read. */
  const sentWith = async (
    request: FastifyRequest,
    { params, posted }: OwnVisit,
    isToken: (token: string) => boolean,
  ): Promise<Sent | null> => {
    const holder = params.account_id ?? 'operator';
    try {
      return (await readSent(request, { holder, isToken })) ?? { posted, file: null };
    } catch (error) {
      if (error instanceof Forged) return null;
      throw error;
    }
  };

  /** A call of whoever is signed in; others are asked to sign in first. */
  const signedIn =
    (
      does: (visit: OwnVisit, reply: FastifyReply) => Promise<FastifyReply>,
      { early = false, admits }: { early?: boolean; admits?: Admits } = {},
    ) =>
    async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      const secret = secretIn(request, secure);
      const who = secret === null ? null : await users.findSession(secret);
      const next = request.method === 'GET' ? `?next=${encodeURIComponent(request.url)}` : '';
      if (secret === null || who === null) {
        return reply.redirect(`/portal/sign-in${next}`, 303);
      }
      if (who.session.factor_due && !early) {
        return reply.redirect(`/portal/sign-in/code${next}`, 303);
      }
      const isForm = request.method === 'POST';
      // Before a file is read: a page of others makes nobody's browser send us one.
      if (isForm && !comesFromUs(request, links.origin)) {
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
      // Nobody's file is received who may not send it.
      const refused = await admits(bare, reply);
      if (refused !== null) return refused;
      const sent = await sentWith(request, bare, isToken);
      if (sent === null || !isToken(sent.posted.get('token') ?? '')) {
        return fail(reply, bare, 'forged', 403);
      }
      return await does(ownVisitOf(request, who, { secret, sent, secure }), reply);
    };

  /** Sends whoever may not do something where that is put right, or says so. */
  const turnAway = (reply: FastifyReply, visit: OwnVisit, kind: Refused['kind']): FastifyReply => {
    if (kind === 'stale') {
      return reply.redirect(`/portal/confirm?next=${encodeURIComponent(cameFrom(visit))}`, 303);
    }
    if (kind === 'factor') return reply.redirect('/portal/me/factor', 303);
    return refuse(reply, visit, kind);
  };

  const note = (
    { user, browser }: OwnVisit,
    kind: AccessKind,
    detail: string,
    accountId: string | null,
  ): Promise<void> =>
    users.recordAccess({
      kind,
      accountId: accountId === '' ? null : accountId,
      userId: user.id,
      address: browser.address,
      detail,
    });

  const withAct = <A extends Act>(
    act: A,
    does: Does<VisitFor<A>>,
    { writes = false, takesFile = false }: { writes?: boolean; takesFile?: boolean } = {},
  ) =>
    signedIn(
      async (visit, reply) => {
        const { request } = reply;
        const { account_id: accountId = '' } = visit.params;
        const admission = await admit(visit, act, accountId);
        if (admission.kind !== 'account' && admission.kind !== 'service') {
          if (admission.kind === 'forbidden' || admission.kind === 'unknown') {
            await note(
              visit,
              'act_refused',
              act,
              admission.kind === 'forbidden' ? accountId : null,
            );
          }
          return turnAway(reply, visit, admission.kind);
        }
        request.visitor = {
          user: visit.user.id,
          ...(ofAccount(admission) && { account: accountId }),
        };
        const home = isAccountAct(act) ? `/portal/${accountId}` : '/portal/operator';
        const whole = {
          ...visit,
          ...admission,
          at: (path: string) => `${home}${path === '/' ? '' : path}`,
          may: (other: Act) =>
            mayDo(admission.role, other) &&
            (admission.kind === 'service' || stateFault(other, admission.account) === null),
          need: (other: Act) =>
            admission.kind === 'account' && refuseUnlessAdmitted(admission, other),
        };
        const answer = () => does(whole as unknown as VisitFor<A>);
        const writesOf = writes && ofAccount(admission);
        if (writes && holdsCard(visit.posted)) return fail(reply, visit, 'cardNumber', 400);
        try {
          const answered = await (writesOf ? reads.writing(accountId, answer) : answer());
          const { cardIn } = currentErrand().trace;
          if (writesOf && cardIn !== undefined) await parts.cardSeen(accountId, cardIn);
          if ('file' in answered) {
            const of = ofAccount(admission) ? accountId : null;
            await note(visit, 'file_taken', answered.name, of);
          }
          return send(reply, whole, answered);
        } catch (error) {
          if (error instanceof NotAdmitted) return refuse(reply, visit, error.kind);
          throw error;
        }
      },
      takesFile
        ? {
            admits: async (visit, reply) => {
              const { kind } = await admit(visit, act, visit.params.account_id ?? '');
              // A stale session has the role, and its form says where to go back to.
              return kind === 'account' || kind === 'service' || kind === 'stale'
                ? null
                : turnAway(reply, visit, kind);
            },
          }
        : {},
    );

  return {
    page: ({ act, path, read, once }) =>
      void app.get(addressOfPage(act, path), hidden, withAct(act, once ? keyed(read, once) : read)),
    form: ({ act, path, does, takesFile }) =>
      void app.post(
        addressOfPage(act, path),
        hidden,
        withAct(act, does, { writes: true, takesFile: takesFile ?? false }),
      ),
    own({ path, read, does, early = false }) {
      const own = (call: Does<OwnVisit>) =>
        signedIn(async (visit, reply) => send(reply, visit, await call(visit)), { early });
      if (read) app.get(path, hidden, own(read));
      if (does) app.post(path, hidden, own(does));
    },
    open({ path, read, does }) {
      if (read) {
        app.get(path, hidden, async (request, reply) => {
          const visit = visitOf(request, secure);
          return send(reply, visit, await read(visit));
        });
      }
      if (does) {
        app.post(path, hidden, async (request, reply) => {
          const visit = visitOf(request, secure);
          if (!comesFromUs(request, links.origin)) return fail(reply, visit, 'forged', 403);
          return send(reply, visit, await does(visit));
        });
      }
    },
  };
}

/** The page to go back to: this one, or for a form its own `back`. */
const cameFrom = ({ posted, path, query }: OwnVisit): string => {
  const back = posted.get('back');
  if (back !== null) return back;
  const search = query.toString();
  return search === '' ? path : `${path}?${search}`;
};
