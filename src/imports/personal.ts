import { cuitPattern, erasedText, type Person, type StillNeeded } from '../platform/person.ts';
import type { Queryable, Sql } from '../platform/postgres/connect.ts';
import type { KindName } from './kinds/kind.ts';

/** Ids of entities that imports created, by kind. */
export type MadeOfRows = ReadonlyMap<KindName, ReadonlySet<number>>;

interface Page {
  import_id: number;
  no: number;
  kind: KindName;
  state: string;
  rows: string;
  faults: string | null;
  outcomes: string | null;
}

type Row = [number, unknown[]];
type Fault = Record<string, unknown> & { path: string[] };
type Faults = [number, Fault[]];
type Outcome = [number, number | null, Fault[]];

const pagesAtOnce = 8;

const pageColumns = (sql: Queryable) => sql`
  p.import_id, p.no, i.kind, i.state, p.rows, p.faults, p.outcomes from import_pages p
  join imports i on i.account_id = p.account_id and i.id = p.import_id`;

async function* pagesOf(sql: Queryable, accountId: string): AsyncGenerator<Page> {
  const pages = sql<Page[]>`
    select ${pageColumns(sql)} where p.account_id = ${accountId} order by p.import_id, p.no`;
  for await (const some of pages.cursor(pagesAtOnce)) yield* some;
}

/** Folds a text like the database's `folded`: no accents, lower case. */
const plain = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{Mn}/gu, '')
    .trim()
    .toLowerCase();

/**
 * Recognizes a person's cells: one of their numbers or addresses, or a known name and address
 * together.
 */
function cellsOfPerson(person: Person) {
  const cuit = new RegExp(cuitPattern(person));
  return (cells: readonly unknown[]): boolean => {
    const texts = cells.map((cell) => plain(String(cell)));
    return (
      texts.some((text) => cuit.test(text) || person.emails.includes(text)) ||
      person.known.some(({ email, name }) => texts.includes(email) && texts.includes(plain(name)))
    );
  };
}

/** Recognizes a person's rows: by their entities, or by their cells. */
function rowsOfPerson(person: Person, made: MadeOfRows) {
  const isTheirs = cellsOfPerson(person);
  return ({ kind, rows, outcomes }: Page): Set<number> => {
    const ids = made.get(kind);
    const became = ((outcomes === null ? [] : JSON.parse(outcomes)) as Outcome[])
      .filter(([, id]) => id !== null && (ids?.has(id) ?? false))
      .map(([row]) => row);
    const named = (JSON.parse(rows) as Row[])
      .filter(([, cells]) => isTheirs(cells))
      .map(([row]) => row);
    return new Set([...became, ...named]);
  };
}

/** Imports whose cells are needed until they end. */
const isOpen = ({ state }: Pick<Page, 'state'>): boolean =>
  ['draft', 'running', 'undoing'].includes(state);

const openImports = (open: ReadonlyMap<number, string>): StillNeeded[] =>
  [...open].map(([id, state]) => ({ what: 'import', id, why: `it is ${state}` }));

/**
 * Returns the open imports that contain a person's rows: drafts, and imports being run or undone.
 * Such imports need their rows until they end.
 */
export async function importsNeeded(
  sql: Queryable,
  accountId: string,
  person: Person,
  made: MadeOfRows,
): Promise<StillNeeded[]> {
  const theirs = rowsOfPerson(person, made);
  const open = new Map<number, string>();
  for await (const page of pagesOf(sql, accountId)) {
    if (isOpen(page) && theirs(page).size > 0) open.set(page.import_id, page.state);
  }
  return openImports(open);
}

/** Exports a person's rows in imports, as JSON rows. */
export async function* exportImportRows(
  sql: Queryable,
  accountId: string,
  person: Person,
  made: MadeOfRows,
): AsyncGenerator<string> {
  const theirs = rowsOfPerson(person, made);
  for await (const page of pagesOf(sql, accountId)) {
    const own = theirs(page);
    for (const [row, cells] of JSON.parse(page.rows) as Row[]) {
      if (own.has(row)) yield JSON.stringify({ import: page.import_id, row, cells });
    }
  }
}

const silent = (fault: Fault): Fault => {
  const { kept: _kept, ...rest } = fault;
  return { ...rest, message: erasedText };
};

const withoutTexts = ([row, id, all]: Outcome): Outcome => [row, id, all.map(silent)];

/** Blanks a person's rows in a page's texts. */
function blanked({ rows, faults, outcomes }: Page, own: ReadonlySet<number>) {
  const each = <T extends readonly [number, ...unknown[]]>(
    text: string | null,
    blank: (one: T) => T,
  ): string | null =>
    text === null
      ? null
      : JSON.stringify(
          (JSON.parse(text) as T[]).map((one) => (own.has(one[0]) ? blank(one) : one)),
        );
  return {
    rows: each<Row>(rows, ([row, cells]) => [row, cells.map(() => '')]),
    faults: each<Faults>(faults, ([row, all]) => [row, all.map(silent)]),
    outcomes: each<Outcome>(outcomes, withoutTexts),
  };
}

/**
 * Blanks a person's rows in the next pages of an account's ended imports. Returns all pages that it
 * read.
 */
const eraseNextPages = (
  sql: Sql,
  accountId: string,
  after: { import_id: number; no: number },
  theirs: (page: Page) => Set<number>,
) =>
  sql.begin(async (tx) => {
    const pages = await tx<Page[]>`
      select ${pageColumns(tx)}
      where p.account_id = ${accountId} and (p.import_id, p.no) > (${after.import_id}, ${after.no})
      order by p.import_id, p.no limit ${pagesAtOnce} for update of p`;
    const read = pages.map((page) => ({ page, own: theirs(page) }));
    for (const { page, own } of read.filter((one) => one.own.size > 0 && !isOpen(one.page))) {
      const { rows, faults, outcomes } = blanked(page, own);
      await tx`
        update import_pages set rows = ${rows}, faults = ${faults}, outcomes = ${outcomes}
        where account_id = ${accountId} and import_id = ${page.import_id} and no = ${page.no}`;
    }
    return read;
  });

/**
 * Blanks a person's rows in ended imports, some pages per transaction. Keeps each row's outcome
 * without its texts. Must precede the erasure of the entities that the rows became. Returns the
 * imports with such rows that began meanwhile, whose cells stay.
 */
export async function eraseImportRows(
  sql: Sql,
  accountId: string,
  person: Person,
  made: MadeOfRows,
): Promise<StillNeeded[]> {
  const theirs = rowsOfPerson(person, made);
  const found = new Map<number, Set<number>>();
  const open = new Map<number, string>();
  let after = { import_id: 0, no: 0 };
  for (;;) {
    const read = await eraseNextPages(sql, accountId, after, theirs);
    for (const { page, own } of read) {
      if (isOpen(page) && own.size > 0) open.set(page.import_id, page.state);
      const known = found.get(page.import_id) ?? new Set();
      if (own.size > 0) found.set(page.import_id, known.union(own));
    }
    const last = read.at(-1)?.page;
    if (!last) break;
    after = last;
  }
  await eraseFirstRows(sql, accountId, person, found);
  return openImports(open);
}

/** Separates the cells of the first rows, which an import stores besides its pages. */
const separator = ' · ';

/**
 * Blanks a person's rows among the first rows that each ended import stores, even if its pages are
 * deleted.
 */
async function eraseFirstRows(
  sql: Sql,
  accountId: string,
  person: Person,
  found: ReadonlyMap<number, ReadonlySet<number>>,
): Promise<void> {
  const isTheirs = cellsOfPerson(person);
  const imports = await sql<{ id: number; state: string; way: string }[]>`
    select id, state, way from imports where account_id = ${accountId}`;
  for (const { id, way } of imports.filter((one) => !isOpen(one))) {
    const own = found.get(id);
    const read = JSON.parse(way) as { top?: [number, string][] };
    const top = read.top?.map(([row, text]): [number, string] =>
      own?.has(row) || isTheirs(text.split(separator)) ? [row, ''] : [row, text],
    );
    const text = JSON.stringify({ ...read, ...(top && { top }) });
    if (text === way) continue;
    await sql`
      update imports set way = ${text}
      where account_id = ${accountId} and id = ${id} and way = ${way}`;
  }
}
