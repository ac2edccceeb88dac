import type { Base } from '../../platform/base.ts';
import type { BaseOperation } from '../../platform/http/operation-api.ts';
import type { Operation } from '../../platform/operations.ts';
import { DialogLink } from '../../platform/pages/components/dialog.tsx';
import type { AccountAct } from '../../users/index.ts';
import { operationPages } from './operation.tsx';
import type { Portal } from './portal.ts';
import type { AccountVisit } from './visit.ts';

type Params = Readonly<Record<string, string>>;

const addressIn = (path: string, params: Params): string =>
  path.replaceAll(/:(\w+)/g, (_, name: string) => params[name] ?? '');

/** Serves account operations that declare their page, so that no code is written for it. */
export function declaredPages(
  portal: Portal,
  operations: readonly BaseOperation[],
  { base }: { base: Base },
): void {
  for (const operation of operations) {
    const { page } = operation;
    if (page === undefined) continue;
    operationPages<BaseOperation['members'], Base, unknown, AccountAct>(portal, operation, {
      path: page.path,
      verbOf: () => base,
      grave: page.grave ?? false,
      back: ({ at, params }) => at(addressIn(page.of, params)),
    });
  }
}

/** Links to an operation's confirmation page, if the visitor may do it. */
export function OperationLink({
  visit,
  of: { act, text },
  path,
}: {
  visit: AccountVisit;
  of: Pick<Operation, 'act' | 'text'>;
  path: string;
}) {
  if (!visit.may(act as AccountAct)) return null;
  return (
    <DialogLink href={visit.at(path)}>
      {text('ask', visit.lang) ?? text('submit', visit.lang)}
    </DialogLink>
  );
}

/** Links to the operations that are declared for a page. */
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
  const own = operations.filter(({ page }) => page?.of === of);
  return (
    <>
      {own.map((operation) => (
        <OperationLink
          key={operation.name}
          visit={visit}
          of={operation}
          path={addressIn(operation.page?.path ?? '', params)}
        />
      ))}
    </>
  );
}
