/**
 * Adding a page to the portal. A page is a folder next to this one: its `routes.ts` declares
 * paths with the `Portal` that it receives, and `src/portal/pages.ts` calls it.
 *
 *     export function homePages(portal: Portal, { readBalances }: PortalParts): void {
 *       portal.page({
 *         act: 'home.see',
 *         path: '/',
 *         read: async (visit) => ({ title: texts[visit.lang].title, body: <Home … /> }),
 *       });
 *       portal.form({
 *         act: 'requests.refund',
 *         path: '/requests/:id/refund',
 *         does: async (visit) => {
 *           await refunds.request({ accountId: visit.account.id, actor: visit.actor, … });
 *           return { to: visit.at(`/requests/${visit.params.id}`) };
 *         },
 *       });
 *     }
 *
 * - The act decides who is admitted (`src/users/acts.ts`), and the page's address: below
 *   `/portal/{account_id}` for an act of an account, below `/portal/operator` for one of the
 *   service. Session, membership, role, the account's state, a fresh proof of identity, and a form's
 *   token and origin are checked before `read` or `does` is called.
 * - A form contains `<input type="hidden" name="token" value={visit.token(action)}>`. The token is
 *   valid only for the address that the form is posted to (`visit.at('/requests/5/refund')`),
 *   without its query. With an act that needs a fresh proof, the form also contains `back`, the page
 *   that it is on.
 * - `visit.query` and `visit.posted` are URLSearchParams. `does` returns `{ to }` on success (303),
 *   or a page with its status and the faults of the input.
 * - A thrown `Refusal` becomes a page with its status. A page offers only acts that its visitor may
 *   do: `visit.may('requests.refund')`. If the page's subject decides which further act is needed,
 *   the page checks it after reading the subject: `visit.need('qr.edit')`.
 * - Tests sign in with `signIn` of `test/harness/portal.ts`.
 */
export { ctxOf, idIn, numberIn } from './address.ts';
export { refusal as portalRefusal } from './codes.ts';
export { failureRoutes } from './failures.ts';
export { nextIn } from './page-address.ts';
export { createPortal, type FrameParts, type Portal } from './portal.ts';
export type {
  AccountVisit,
  Answer,
  OpenVisit,
  OwnVisit,
  Page,
  PublicVisit,
  ServiceVisit,
} from './visit.ts';
