import { readAccount } from '../accounts/index.ts';
import { exportImportRows, type MadeOfRows } from '../imports/index.ts';
import { type PersonalMandate, personalMandates } from '../mandates/index.ts';
import { exportMails } from '../platform/mail/personal.ts';
import type { Person } from '../platform/person.ts';
import type { Queryable } from '../platform/postgres/connect.ts';
import { type PersonalRequests, personalRequests } from '../requests/index.ts';

/** Rows that one account stores about a person. */
export interface Found {
  accountId: string;
  person: Person;
  mandates: PersonalMandate[];
  requests: PersonalRequests;
  /** Names, addresses and numbers of the person, which other texts may contain. */
  texts: string[];
}

const distinct = (texts: readonly string[]): string[] => [
  ...new Set(texts.filter((text) => text !== '')),
];

/** Encodes a text as within JSON. */
const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);

/**
 * Finds what an account stores about a person. Mandates with the person's id number, or with an
 * address that the person proved, yield further pairs of name and address. A row with such a pair
 * belongs to the person too.
 */
export async function findPerson(
  sql: Queryable,
  accountId: string,
  subject: Pick<Person, 'cuit' | 'emails'>,
): Promise<Found> {
  const isHolder = (await readAccount(sql, accountId))?.cuit === subject.cuit;
  const bare: Person = { ...subject, known: [], isHolder };
  const proven = (await personalMandates(sql, accountId, bare)).filter((one) => one.is_proven);
  const known = proven.flatMap(({ email, holder, payer }) => [
    { email, name: holder },
    { email, name: payer },
  ]);
  const person: Person = { ...bare, known };
  const mandates = await personalMandates(sql, accountId, person);
  const requests = await personalRequests(sql, accountId, person, mandates);
  const named = [
    ...[...subject.emails, ...requests.emails, ...requests.payers, subject.cuit],
    ...mandates.flatMap(({ email, holder, payer }) => [email, holder, payer]),
  ];
  const texts = distinct(named.flatMap((text) => [text, inJson(text)]));
  return { accountId, person, mandates, requests, texts };
}

/** Returns true if an account stores nothing about a person, imported rows and emails included. */
export async function isEmpty(sql: Queryable, found: Found): Promise<boolean> {
  const { accountId, person, mandates, requests } = found;
  if (mandates.length > 0 || requests.ids.length > 0) return false;
  const mails = { accountId, ids: [], links: [], emails: person.emails };
  for await (const _ of exportMails(sql, mails)) return false;
  for await (const _ of exportImportRows(sql, accountId, person, madeOf(found))) return false;
  return true;
}

/** Returns the ids of the person's rows, by the kind of import that may have created them. */
export function madeOf({ mandates, requests }: Found): MadeOfRows {
  const ofRequests = new Set(requests.ids);
  return new Map([
    ['payment_request', ofRequests],
    ['qr', ofRequests],
    ['debit_request', ofRequests],
    ['card_debit_request', ofRequests],
    ['adhesion', new Set(mandates.filter(({ kind }) => kind === 'adhesion').map(({ id }) => id))],
  ]);
}
