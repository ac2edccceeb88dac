import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Office, signIn } from '../harness/portal.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { dayIn, type Player, playerOf } from '../scenarios/play.ts';

let service: TestService;
let player: Player;
let office: Office;
const home = `/portal/${testAccount}`;
const list = `${home}/requests`;

/** Days until requests are due, and their first totals. Several share a day or an amount. */
const requests: readonly (readonly [due: number, total: number])[] = Array.from(
  { length: 60 },
  (_, no) => [2 + (no % 7), 100 + (no % 11)],
);

/** Returns the amounts and days listed at an address, page by page. */
async function listed(query: string): Promise<{ due: string; total: number; id: number }[]> {
  const rows = [];
  for (let address: string | undefined = `${list}?${query}`; address; ) {
    const { text } = await office.get(address);
    for (const [, id, due, total] of text.matchAll(
      /<a href="[^"]*\/requests\/(\d+)">.*?<span class="whole">(\d\d-\d\d-\d{4}).*?\$\u00a0([\d.,]+)/gs,
    )) {
      const amount = Number(total?.replaceAll('.', '').replace(',', '.'));
      rows.push({ id: Number(id), due: due?.split('-').reverse().join('-') ?? '', total: amount });
    }
    address = /<a rel="next" href="([^"]*)"/.exec(text)?.[1]?.replaceAll('&amp;', '&');
  }
  return rows;
}

/** Returns the figures of the home page with their links. */
async function figures(): Promise<
  Record<string, readonly [text: string, note: string, to: string]>
> {
  const { text } = await office.get(home);
  const all = text.matchAll(
    /<dt>(.*?)<\/dt><dd class="figure-value"><a href="([^"]*)">(.*?)<\/a><\/dd><dd class="figure-note">(.*?)</g,
  );
  return Object.fromEntries(
    [...all].map(([, label = '', to = '', value = '', note = '']) => [
      label,
      [value, note, to.replaceAll('&amp;', '&')],
    ]),
  );
}

beforeAll(async () => {
  service = await startService({ ROLES: 'payments,web' });
  player = playerOf(service);
  office = await signIn(service, 'owner');
  for (const [due, total] of requests) {
    await player.create({
      first_due_date: dayIn(service, due),
      first_total: total,
      payer_name: total % 2 === 0 ? 'Ana Par' : 'Luz Impar',
      ...(due === 3 && { second_due_date: dayIn(service, 30), second_total: total + 50 }),
    });
  }
}, 120_000);
afterAll(() => service?.stop());

type Row = Awaited<ReturnType<typeof listed>>[number];
const by = {
  due: (a: Row, b: Row) => a.due.localeCompare(b.due) || a.id - b.id,
  amount: (a: Row, b: Row) => a.total - b.total || a.id - b.id,
};

test.each(['due', 'amount'] as const)('sorts by %s both ways, page by page', async (sort) => {
  const all = await listed('');
  expect(all).toHaveLength(requests.length);
  expect(await listed(`sort=${sort}`)).toEqual(all.toSorted(by[sort]));
  expect(await listed(`sort=-${sort}`)).toEqual(all.toSorted(by[sort]).reverse());
  for (const filter of ['q=luz', 'state=pending', 'first_total_gte=104&first_total_lte=107']) {
    const some = await listed(filter);
    expect(some.length).toBeGreaterThan(10);
    expect([filter, await listed(`${filter}&sort=${sort}`)]).toEqual([
      filter,
      some.toSorted(by[sort]),
    ]);
  }
});

test('keeps the order in the page’s links, and ignores an unknown one', async () => {
  const { text } = await office.get(`${list}?state=pending&sort=-amount`);
  expect(text).toContain('aria-sort="descending"');
  expect(text).toContain(`${list}?state=pending&amp;sort=amount`);
  expect(text).toContain('export.csv?state=pending&amp;sort=-amount');
  expect(text).toContain('<input type="hidden" name="sort" value="-amount"/>');
  expect((await office.get(`${list}?sort=password`)).status).toBe(200);
  const { text: file } = await office.get(`${list}/export.csv?sort=-amount`);
  const ids = [...file.matchAll(/^"?(\d+)/gm)].map(([, id]) => Number(id));
  expect(ids).toEqual((await listed('sort=-amount')).map(({ id }) => id));
});

test('adds up the requests that a filter finds', async () => {
  const sum = (rows: readonly Row[]) => rows.reduce((all, { total }) => all + total, 0);
  for (const query of [
    '',
    'q=luz',
    'state=pending',
    'first_total_gte=109',
    'q=ana&state=pending',
  ]) {
    const rows = await listed(query);
    const { text } = await office.get(`${list}?${query}`);
    const shown = `${rows.length} cobros, $\u00a0${sum(rows).toLocaleString('es-AR')},00 en total`;
    expect([query, text.includes(shown)]).toEqual([query, true]);
  }
  expect((await office.get(`${list}?state=paid`)).text).not.toContain('en total');
});

test('shows outstanding and overdue money, and lists what each figure sums', async () => {
  const before = await listed('');
  expect((await figures())['Por cobrar']?.[1]).toBe('60 cobros');
  expect((await figures())['Vencido en los últimos 30 días']?.slice(0, 2)).toEqual([
    '$\u00a00,00',
    '0 cobros',
  ]);
  const paid = before[0]?.id ?? 0;
  expect((await player.pay(paid, { channel: 'credit_card' })).status).toBe(200);
  const [, withdrawn] = before;
  await office.post(`${list}/${withdrawn?.id}/withdraw`, {});
  await player.move({ days: 5 });
  const shown = await figures();
  for (const label of ['Por cobrar', 'Vencido en los últimos 30 días']) {
    const [value, note, to] = shown[label] ?? ['', '', ''];
    const rows = await listed(new URL(to, service.origin).search.slice(1));
    expect([label, note]).toEqual([label, `${rows.length} cobros`]);
    const sum = rows.reduce((all, { total }) => all + total, 0);
    expect([label, value]).toEqual([label, `$\u00a0${sum.toLocaleString('es-AR')},00`]);
  }
  const overdue = await listed('state=overdue');
  // After the first due date, the second total is what payers owe.
  expect(overdue.some(({ total }) => total >= 150)).toBe(true);
  const today = service.service.parts.clocks.business.today().toString();
  const late = before.filter(({ due }) => due < today).map(({ id }) => id);
  expect(overdue.map(({ id }) => id).toSorted()).toEqual(
    late.filter((id) => id !== paid && id !== withdrawn?.id).toSorted(),
  );
  // A second due day keeps a request payable: it is outstanding and overdue.
  const pending = new Set((await listed('state=pending')).map(({ id }) => id));
  expect(overdue.some(({ id }) => pending.has(id))).toBe(true);
});
