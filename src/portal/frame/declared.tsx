import type { Base } from '../../platform/base.ts';
import type { BaseOperation } from '../../platform/http/operation-api.ts';
import type { AccountAct } from '../../users/index.ts';
import { PageHead } from './layout.tsx';
import { operationPages } from './operation.tsx';
import type { Portal } from './portal.ts';
import type { AccountVisit } from './visit.ts';

type Params = Readonly<Record<string, string>>;

const addressIn = ({ at }: AccountVisit, path: string, params: Params): string =>
  at(path.replaceAll(/:(\w+)/g, (_, name: string) => params[name] ?? ''));

const titleOf = ({ text }: BaseOperation, { lang }: AccountVisit): string =>
  text('submit', lang) ?? '';

/** Pages of operations of accounts that need none of their own. */
export function declaredPages(
  portal: Portal,
  operations: readonly BaseOperation[],
  { base }: { base: Base },
): void {
  for (const operation of operations) {
    const { page } = operation;
    if (page === undefined) continue;
    const back = (visit: AccountVisit) => addressIn(visit, page.of, visit.params);
    operationPages<BaseOperation['members'], Base, unknown, AccountAct>(portal, operation, {
      path: page.path,
      verbOf: () => base,
      given: { account: ({ account }) => account.id },
      back,
      async page(visit, form) {
        const title = titleOf(operation, visit);
        return {
          title,
          body: (
            <>
              <PageHead title={title} />
              {form}
            </>
          ),
        };
      },
      done: (visit) => ({ to: back(visit) }),
    });
  }
}

/** Links to what such operations do with the thing that a page shows. */
export function DeclaredLinks({
  visit,
  operations,
  of,
  params,
}: {
  visit: AccountVisit;
  operations: readonly BaseOperation[];
  /** The path of the page. */
  of: string;
  params: Params;
}) {
  const own = operations.filter(({ act, page }) => page?.of === of && visit.may(act));
  return (
    <>
      {own.map((operation) => (
        <a
          key={operation.name}
          class="button button-quiet"
          href={addressIn(visit, operation.page?.path ?? '', params)}
          data-dialog
        >
          {titleOf(operation, visit)}
        </a>
      ))}
    </>
  );
}
