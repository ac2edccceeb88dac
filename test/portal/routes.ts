import { everyPage, type PortalParts } from '../../src/portal/index.ts';
import { type Act, isAccountAct } from '../../src/users/index.ts';
import { testAccount } from '../harness/service.ts';

/** An address of the portal that belongs to an act. */
export interface ActRoute {
  act: Act;
  method: 'GET' | 'POST';
  path: string;
}

/** Returns every page and form that `portal` declares with an act. */
export function actRoutes(): ActRoute[] {
  const routes: ActRoute[] = [];
  const note =
    (method: ActRoute['method']) =>
    ({ act, path }: { act: Act; path: string }) =>
      void routes.push({ act, method, path });
  // No part is used before a page is requested.
  const parts = new Proxy({}, { get: () => undefined }) as PortalParts;
  everyPage({ page: note('GET'), form: note('POST'), own() {}, open() {} }, parts);
  return routes;
}

/** Returns the route's path, with sample values for its parameters. */
export function addressOf({ act, path }: ActRoute, accountId = testAccount): string {
  const home = isAccountAct(act) ? `/portal/${accountId}` : '/portal/operator';
  return `${home}${path === '/' ? '' : path.replace(/:\w+/g, '1')}`;
}
