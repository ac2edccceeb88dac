/**
 * How a page comes into the portal. A page is a folder beside this one: `routes.ts` declares its
 * addresses with the `Portal` that it is given, and `src/portal/pages.ts` calls it.
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
 * - The act decides who comes in (`src/users/acts.ts`) and where the address stands: below
 *   `/portal/{account_id}` for an act of an account, below `/portal/operator` for one of the
 *   service. Session, membership, role, the account's state, a fresh proof of who it is, and for
 *   forms their token and where they come from are checked before `read` or `does` is called.
 * - A form carries `<input type="hidden" name="token" value={visit.token(action)}>`, made for the
 *   very address that it is posted to (`visit.at('/requests/5/refund')`), without its query. With
 *   an act that asks for a fresh proof it also carries `back`, the page on which it stands.
 * - `visit.query` and `visit.posted` are URLSearchParams. `does` answers `{ to }` when it is done
 *   (303), or a page with its status and what is wrong with what was sent.
 * - A `Refusal` that is thrown becomes a page of its status. What a page cannot do for somebody it
 *   does not offer: `visit.may('requests.refund')`. Where what a page is about decides which act it
 *   belongs to besides, it says so when it knows: `visit.need('qr.edit')`.
 * - Tests sign in with `signIn` of `test/harness/portal.ts`.
 */
export { ctxOf, idIn, numberIn } from './address.ts';
export { refusal as portalRefusal } from './codes.ts';
export { failureRoutes } from './failures.ts';
export { nextIn } from './lang.ts';
export { createPortal, type FrameParts, type Portal } from './portal.ts';
export type { AccountVisit, Answer, OpenVisit, OwnVisit, Page, ServiceVisit } from './visit.ts';
