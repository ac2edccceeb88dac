import type { Account } from '../../accounts/index.ts';
import { holdsCardNumber } from '../../kernel/card-text.ts';
import type { Clocks } from '../../platform/clocks.ts';
import type { App } from '../../platform/http/server.ts';
import type { Links } from '../../platform/links.ts';
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
import { type Answering, answering } from './answering.ts';
import { secretIn } from './cookie.ts';
import { comesFromUs } from './forgery.ts';
import {
  type Admission,
  createGuard,
  NotAdmitted,
  refuseUnlessAdmitted,
  stateFault,
} from './guard.ts';
import { keyed, type Once } from './once.ts';
import { type SessionGate, sessionGate } from './session-gate.ts';
import type {
  AccountVisit,
  Answer,
  OpenVisit,
  OwnVisit,
  PublicVisit,
  ServiceVisit,
} from './visit.ts';
import { visitOf } from './visitor.ts';

export interface FrameParts {
  users: Pick<UserVerbs, 'roleOf' | 'findSession' | 'recordAccess' | 'idleMinutes'>;
  readAccount(id: string): Promise<Account | null>;
  links: Links;
  clocks: Clocks;
  base: { reads: Reads };
  sandbox: boolean;
  /** Reports that a form stored a possible card number, in a field that accepts any digits. */
  cardSeen(accountId: string, member: string): Promise<void>;
}

/** Type of visit for the pages of an act. */
export type VisitFor<A extends Act> = A extends AccountAct ? AccountVisit : ServiceVisit;

type Does<V> = (visit: V) => Promise<Answer>;

type Admitted = Extract<Admission, { kind: 'account' | 'service' }>;

const ofAccount = ({ kind }: Admission): boolean => kind === 'account';

/** The only way to add pages to the portal. See `index.ts`. */
export interface Portal {
  /** Adds a page (GET). */
  page<A extends Act>(route: {
    act: A;
    path: string;
    read: Does<VisitFor<A>>;
    /** For a form that creates something. See `once.ts`. */
    once?: Once;
  }): void;
  /** Adds a form (POST). */
  form<A extends Act>(route: {
    act: A;
    path: string;
    does: Does<VisitFor<A>>;
    /** The form uploads a file, `visit.file`. */
    takesFile?: boolean;
  }): void;
  /** Adds a page or a form for every signed-in user. */
  own(route: {
    path: string;
    read?: Does<OwnVisit>;
    does?: Does<OwnVisit>;
    /** Allowed before the second factor. */
    early?: true;
  }): void;
  /** Adds a public page or form: sign-in, and the targets of links in emails. */
  open(route: { path: string; read?: Does<PublicVisit>; does?: Does<OpenVisit> }): void;
}

const hidden = { schema: { hide: true } };

/** Returns the path of an act's page below `/portal`. */
export const addressOfPage = (act: Act, path: string): string =>
  `${isAccountAct(act) ? '/:account_id' : '/operator'}${path === '/' ? '' : path}`;

/**
 * Fields that the card check skips: they have their own check, accept any digits, or are for cards.
 */
const checksItself =
  /^(?:.*(?:description|payer_name|holder_name|reference|metadata|token|query|back)|card|card_number)$/;

/** Returns true if any other field of a form contains a possible card number. */
const holdsCard = (posted: URLSearchParams): boolean =>
  [...posted].some(([name, value]) => !checksItself.test(name) && holdsCardNumber(value));

const admitted = (visit: OwnVisit, act: Act, admission: Admitted) => {
  const home = isAccountAct(act) ? `/portal/${visit.params.account_id}` : '/portal/operator';
  return {
    ...visit,
    ...admission,
    at: (path: string) => `${home}${path === '/' ? '' : path}`,
    may: (other: Act) =>
      mayDo(admission.role, other) &&
      (admission.kind === 'service' || stateFault(other, admission.account) === null),
    need: (other: Act) => admission.kind === 'account' && refuseUnlessAdmitted(admission, other),
  };
};

/** Checks the visitor's permission. Logs refusals and downloads. */
function actGate(
  parts: FrameParts,
  { send, fail, refuse, turnAway }: Answering,
  signedIn: SessionGate,
) {
  const { users, clocks } = parts;
  const { reads } = parts.base;
  const admit = createGuard({ ...parts, wall: clocks.wall });

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

  return <A extends Act>(
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
        const whole = admitted(visit, act, admission);
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
              // A stale session has the role, and its form names the page to return to.
              return kind === 'account' || kind === 'service' || kind === 'stale'
                ? null
                : turnAway(reply, visit, kind);
            },
          }
        : {},
    );
}

export function createPortal(app: App, parts: FrameParts): Portal {
  const { origin } = parts.links;
  const secure = origin.startsWith('https://');
  const { idleMinutes } = parts.users;
  const answers = answering({ secure, sandbox: parts.sandbox, idleMinutes });
  const { send, fail } = answers;
  const signedIn = sessionGate({ users: parts.users, origin, secure }, answers);
  const withAct = actGate(parts, answers, signedIn);

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
          const secret = secretIn(request, secure);
          const signedIn = async () =>
            secret === null ? null : await parts.users.findSession(secret);
          const visit = { ...visitOf(request, secure), signedIn };
          return send(reply, visit, await read(visit));
        });
      }
      if (does) {
        app.post(path, hidden, async (request, reply) => {
          const visit = visitOf(request, secure);
          if (!comesFromUs(request, origin)) return fail(reply, visit, 'forged', 403);
          return send(reply, visit, await does(visit));
        });
      }
    },
  };
}
