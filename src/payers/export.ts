import { exportImportRows } from '../imports/index.ts';
import { exportMandates } from '../mandates/index.ts';
import { exportAttempts } from '../money/charges/index.ts';
import { exportResults } from '../money/collections/index.ts';
import { exportDisputes } from '../money/disputes/index.ts';
import { exportProposals } from '../money/proposals/index.ts';
import { exportRefunds } from '../money/refunds/index.ts';
import { exportSuspense } from '../money/suspense/index.ts';
import { exportMailStops, exportPayerMails, mailsOfRequests } from '../payment-requests/index.ts';
import { exportMails } from '../platform/mail/personal.ts';
import type { Person } from '../platform/person.ts';
import type { Queryable } from '../platform/postgres/connect.ts';
import { exportRequests } from '../requests/index.ts';
import { type Found, findPerson, isEmpty, madeOf } from './find.ts';

type Section = (sql: Queryable, accountId: string, found: Found) => AsyncGenerator<string>;

const ofRequests =
  (read: (sql: Queryable, accountId: string, ids: number[]) => AsyncGenerator<string>): Section =>
  (sql, accountId, { requests }) =>
    read(sql, accountId, requests.ids);

/**
 * Selects the person's emails: those about the found rows, and those to addresses that the person
 * proved. Other people may share an address that a row contains.
 */
const mailsOf = async (sql: Queryable, accountId: string, found: Found) => ({
  accountId,
  ids: await mailsOfRequests(sql, accountId, found.requests.ids),
  links: found.mandates.map(({ kind, id }) => ({ kind, id })),
  emails: found.person.emails,
});

const sections: Record<string, Section> = {
  mandates: (sql, accountId, { mandates }) => exportMandates(sql, accountId, mandates),
  requests: ofRequests(exportRequests),
  results: ofRequests(exportResults),
  charges: ofRequests(exportAttempts),
  refunds: ofRequests(exportRefunds),
  proposals: ofRequests(exportProposals),
  disputes: ofRequests(exportDisputes),
  assigned_money: ofRequests(exportSuspense),
  sent_mails: ofRequests(exportPayerMails),
  unsubscriptions: (sql, accountId, { requests, person }) =>
    exportMailStops(sql, accountId, { requestIds: requests.ids, emails: person.emails }),
  async *mails(sql, accountId, found) {
    yield* exportMails(sql, await mailsOf(sql, accountId, found));
  },
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
    if (await isEmpty(sql, found)) continue;
    yield `${comma}\n{"account":"${accountId}"`;
    comma = ',';
    for (const [name, read] of Object.entries(sections)) {
      yield `,\n"${name}":[`;
      let separator = '';
      for await (const row of read(sql, accountId, found)) {
        yield `${separator}${row}`;
        separator = ',\n';
      }
      yield ']';
    }
    yield '}';
  }
  yield ']}\n';
}
