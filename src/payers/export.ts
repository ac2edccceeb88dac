import { exportImportRows } from '../imports/index.ts';
import { exportMandates } from '../mandates/index.ts';
import { exportAttempts } from '../money/charges/index.ts';
import { exportResults } from '../money/collections/index.ts';
import { exportRefunds } from '../money/refunds/index.ts';
import { mailsOfRequests } from '../payment-requests/index.ts';
import { exportMails } from '../platform/mail/personal.ts';
import type { Person } from '../platform/person.ts';
import type { Queryable } from '../platform/postgres/connect.ts';
import { exportRequests } from '../requests/index.ts';
import { type Found, findPerson, isEmpty, madeOf } from './find.ts';

type Section = (sql: Queryable, accountId: string, found: Found) => Promise<string[]>;

const ofRequests =
  (read: (sql: Queryable, accountId: string, ids: number[]) => Promise<string[]>): Section =>
  (sql, accountId, { requests }) =>
    read(sql, accountId, requests.ids);

/**
 * Returns the emails of the found rows. Uses only addresses that the person proved, because others
 * may share an address that a row contains.
 */
const mailsOf = async (sql: Queryable, accountId: string, found: Found) => ({
  accountId,
  ids: await mailsOfRequests(sql, accountId, found.requests.ids),
  links: found.mandates.map(({ kind, id }) => ({ kind, id })),
  emails: found.person.emails,
});

/** Parts of an export, each read and written separately. */
const sections: Record<string, Section> = {
  mandates: (sql, accountId, { mandates }) => exportMandates(sql, accountId, mandates),
  requests: ofRequests(exportRequests),
  results: ofRequests(exportResults),
  charges: ofRequests(exportAttempts),
  refunds: ofRequests(exportRefunds),
  mails: async (sql, accountId, found) =>
    await exportMails(sql, await mailsOf(sql, accountId, found)),
  imported_rows: (sql, accountId, found) =>
    exportImportRows(sql, accountId, found.person, madeOf(found)),
};

/** Yields the data that accounts store about a person, as pieces of one JSON document. */
export async function* exportPerson(
  sql: Queryable,
  accountIds: readonly string[],
  person: Pick<Person, 'cuit' | 'emails'>,
  madeAt: string,
): AsyncGenerator<string> {
  const { cuit, emails } = person;
  yield `{"cuit":${JSON.stringify(cuit)},"emails":${JSON.stringify(emails)},"made_at":"${madeAt}","accounts":[`;
  let comma = '';
  for (const accountId of accountIds) {
    const found = await findPerson(sql, accountId, person);
    if (isEmpty(found)) continue;
    yield `${comma}\n{"account":"${accountId}"`;
    comma = ',';
    for (const [name, read] of Object.entries(sections)) {
      yield `,\n"${name}":[${(await read(sql, accountId, found)).join(',\n')}]`;
    }
    yield '}';
  }
  yield ']}\n';
}
