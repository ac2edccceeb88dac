import { writeSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { withoutReferences } from '../../tools/references.ts';
import { adhesionBody, cardAdhesionBody } from '../harness/builders/mandates.ts';
import { paymentRequestBody } from '../harness/builders/payment-requests.ts';
import { full, itemOf } from '../harness/builders/qrs.ts';
import { type Office, signIn } from '../harness/portal.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { randomOf } from '../histories/random.ts';

/**
 * Sends random calls from the OpenAPI document, and random forms of the portal's pages: no response
 * is a 5xx, each status is documented, and no call blocks the event loop. `npm run fuzz` sends
 * 100,000 others each time; `FUZZ_SEED` replays a run.
 */
const { FUZZ_CALLS, FUZZ_SEED = FUZZ_CALLS ? String(Date.now() % 100_000) : '1' } = process.env;
const calls = Number(FUZZ_CALLS ?? 4000);
const formsOfCalls = 0.25;
/**
 * Measures processor time of the thread during a turn of its event loop, so other load does not
 * count. Garbage collection and compilation do, so a long turn counts only if each repeat of the
 * call has one.
 */
const longestTurnMs = 50;
const repeats = 3;

// biome-ignore lint/suspicious/noExplicitAny: shapes of a document
type Json = any;

let service: TestService;
let document: Json;
let offices: Office[];
const random = randomOf(Number(FUZZ_SEED));

beforeAll(async () => {
  service = await startService({
    ROLES: 'payments,qr,web',
    RATE_LIMIT: '0',
    STRANGER_RATE: '0',
    LINK_RATE: '0',
    DOCS: 'true',
  });
  document = withoutReferences((await service.call('GET', '/openapi.json', { key: null })).body);
  offices = [await signIn(service, 'owner'), await signIn(service, 'operator')];
});
afterAll(() => service.stop());

const pick = <T>(list: readonly T[]): T => list[random.below(list.length)] as T;
const chance = (share: number): boolean => random.below(1_000_000) < share * 1_000_000;

const strange: readonly unknown[] = [
  null,
  '',
  ' ',
  0,
  -1,
  1e308,
  1.005,
  '99999999999999999999',
  true,
  [],
  {},
  [[[]]],
  '\u0000',
  '\ud800',
  '\u202e',
  '__proto__',
  'constructor',
  "'; drop table requests; --",
  '31-02-2026',
  '01-01-0001',
  '31-12-9999',
  '../../etc/passwd',
  '%00',
  '4111111111111111',
  'ñ'.repeat(300),
  'x'.repeat(20_000),
  '9'.repeat(400),
];

/** Returns a value that fits the schema, or nearly does. */
function madeOf(schema: Json, depth = 0): unknown {
  if (chance(0.15) || depth > 6) return pick(strange);
  const { type, anyOf, enum: words, properties = {}, items, examples } = schema ?? {};
  if (anyOf) return madeOf(pick(anyOf), depth + 1);
  if (words) return pick(words);
  if (examples) return pick(examples);
  if (type === 'object') {
    const members = Object.entries(properties).filter(() => chance(0.8));
    const own = members.map(([name, inner]) => [name, madeOf(inner, depth + 1)]);
    return Object.fromEntries(chance(0.05) ? [...own, ['__proto__', {}]] : own);
  }
  if (type === 'array') {
    return Array.from({ length: random.below(4) }, () => madeOf(items, depth + 1));
  }
  if (type === 'integer' || type === 'number') return pick([1, 10, 1430.5, 99_999_999.99, 2]);
  if (type === 'boolean') return chance(0.5);
  return pick(['Ana Pérez', 'ana@example.com', '05-12-2030', '1430.50', 'https://example.com/x']);
}

const known: unknown[] = [1, 'x', full('F1'), '05-12-2026', '2026-12-05'];

const bodies = (): Json =>
  pick([
    paymentRequestBody(service, { first_total: pick([10, 99.5]) }),
    { adhesion: adhesionBody() },
    { card_adhesion: cardAdhesionBody() },
    { data: [itemOf(service, full(`F${random.below(500)}`))], total_count: 1 },
  ]);

/** Returns a valid body with one value replaced. */
function bent(value: Json): Json {
  if (typeof value !== 'object' || value === null || chance(0.2)) return pick(strange);
  const names = Object.keys(value);
  const name = pick(names);
  return name === undefined ? value : Object.assign(value, { [name]: bent(value[name]) });
}

interface Operation {
  method: string;
  path: string;
  operation: Json;
}

const operations = (): Operation[] =>
  Object.entries<Json>(document.paths).flatMap(([path, item]) =>
    Object.entries<Json>(item).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation,
    })),
  );

function keepIds(text: string): void {
  for (const [, id] of text.slice(0, 2_000).matchAll(/"(?:id|request_id)":"?([\w-]+)/g)) {
    if (known.length < 500) known.push(id);
    else known[random.below(known.length)] = id;
  }
}

/** A repeatable call, which returns the faults of its response. */
interface Call {
  name: string;
  make(): Promise<string | null>;
}

function apiCall({ method, path, operation }: Operation): Call {
  const address = path.replace(/\{\w+\}/g, () =>
    encodeURIComponent(
      String(pick(chance(0.8) ? known : strange))
        .toWellFormed()
        .slice(0, 150) || '0',
    ),
  );
  const query = new URLSearchParams();
  for (const { in: place, name, schema } of operation.parameters ?? []) {
    if (place === 'query' && chance(0.3)) {
      query.set(name, String(madeOf(schema)).toWellFormed().slice(0, 500));
    }
  }
  const schema = operation.requestBody?.content?.['application/json']?.schema;
  const body = schema && (chance(0.4) ? bent(bodies()) : madeOf(schema));
  const text = schema && JSON.stringify(body);
  const raw = text && chance(0.03) ? text.slice(0, random.below(text.length + 1)) : text;
  const asked = `${method} ${address}?${query}`;
  const headers: Record<string, string> = chance(0.1)
    ? { 'idempotency-key': `k${random.below(50)}` }
    : {};
  const make = async () => {
    const answer = await service.call(method, query.size > 0 ? `${address}?${query}` : address, {
      ...(raw !== undefined && { body: raw }),
      headers,
    });
    keepIds(answer.text);
    if (answer.status >= 500) return `${asked} ${raw}: ${answer.status} ${answer.text}`;
    const documented = [String(answer.status), '4xx', '4XX'].some((one) =>
      Object.hasOwn(operation.responses, one),
    );
    // A random id may make a path that no operation has.
    const fine = documented || answer.status === 404;
    return fine ? null : `${asked}: ${answer.status} is undocumented`;
  };
  return { name: `${asked} ${raw}`, make };
}

const pages = new Map<Office, string[]>();

const pageOf = (office: Office, path: string): Call => ({
  name: `GET ${path}`,
  async make() {
    const { status } = await office.get(path);
    return status >= 500 ? `GET ${path}: ${status}` : null;
  },
});

/** Returns a call of one page of the portal, and of one of its forms if it has a suitable one. */
async function portalCalls(office: Office): Promise<Call[]> {
  const home = office.email.startsWith('operator') ? '/portal/operator' : `/portal/${testAccount}`;
  const found = pages.get(office) ?? [home];
  pages.set(office, found);
  const path = pick(found);
  const page = await office.get(path);
  for (const [, link = ''] of page.text.matchAll(/href="(\/portal\/[^"#]+)"/g)) {
    const next = link.replaceAll('&amp;', '&');
    if (/sign-out|lang=/.test(next) || found.includes(next) || found.length > 400) continue;
    found.push(next);
  }
  const forms = [
    ...page.text.matchAll(/<form[^>]*method="post"[^>]*action="([^"]+)"(.*?)<\/form>/gs),
  ];
  const [, action = '', inside = ''] = (forms.length > 0 && pick(forms)) || [];
  // Skip forms that end the session or change the deployment: they would end the run.
  if (action === '' || /sign-out|sessions|factor|password|suspend|close|clock/.test(action)) {
    return [pageOf(office, path)];
  }
  const names = [...inside.matchAll(/name="([^"]+)"/g)].map(([, name = '']) => name);
  const fields = Object.fromEntries(
    names
      .filter((name) => name !== 'token' && chance(0.9))
      .map((name) => [
        name,
        String(chance(0.5) ? pick(strange) : madeOf({ type: 'string' })).toWellFormed(),
      ]),
  );
  const target = action.replaceAll('&amp;', '&');
  const name = `POST ${target} ${JSON.stringify(fields)}`;
  const make = async () => {
    const { status } = await office.post(target, fields);
    return status >= 500 ? `${name}: ${status}` : null;
  };
  return [pageOf(office, path), { name, make }];
}

/** Watches turns of the event loop, in processor time of its thread. */
function watchTurns() {
  let last = process.threadCpuUsage();
  let longest = 0;
  const look = (): void => {
    const used = process.threadCpuUsage(last);
    last = process.threadCpuUsage();
    longest = Math.max(longest, (used.user + used.system) / 1000);
  };
  const timer = setInterval(look, 1);
  return {
    /** Returns the longest turn since the last call. */
    take(): number {
      look();
      const taken = longest;
      longest = 0;
      return taken;
    },
    stop: () => clearInterval(timer),
  };
}

type Turns = ReturnType<typeof watchTurns>;

/** Returns the shortest of the longest turns of a repeated call. */
async function leastTurn({ make }: Call, turns: Turns, first: number): Promise<number> {
  let least = first;
  for (let again = 0; again < repeats && least > longestTurnMs; again += 1) {
    turns.take();
    await make();
    least = Math.min(least, turns.take());
  }
  return least;
}

test(
  'answers random calls and forms without a 5xx, an undocumented status or a long event loop turn',
  async () => {
    const all = operations();
    const faults = new Set<string>();
    const longTurns: number[] = [];
    // Warm up: loading and compiling do not count as blocking.
    for (const operation of all) await apiCall(operation).make();
    const turns = watchTurns();
    for (let made = 0; made < calls; made += 1) {
      const next = chance(formsOfCalls) ? await portalCalls(pick(offices)) : [apiCall(pick(all))];
      for (const call of next) {
        turns.take();
        const fault = await call.make();
        if (fault !== null) faults.add(fault.slice(0, 600));
        const first = turns.take();
        if (first > longestTurnMs) longTurns.push(Math.round(first));
        const turn = await leastTurn(call, turns, first);
        if (turn > longestTurnMs) faults.add(`${turn} ms: ${call.name.slice(0, 500)}`);
      }
      if (made % 10_000 === 9_999) {
        const text = `${longTurns.length} turns above ${longestTurnMs} ms once: ${longTurns}`;
        writeSync(2, `${made + 1} calls, seed ${FUZZ_SEED}, ${faults.size} faults, ${text}\n`);
      }
    }
    turns.stop();
    expect({ seed: FUZZ_SEED, faults: [...faults] }).toEqual({ seed: FUZZ_SEED, faults: [] });
  },
  Math.max(300_000, calls * 100),
);
