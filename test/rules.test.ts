import { execFile } from 'node:child_process';
import { glob, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { packageRoot } from '../src/package-root.ts';

interface Line {
  file: string;
  text: string;
  place: string;
}

let lines: Line[];

beforeAll(async () => {
  lines = [];
  for await (const file of glob('src/**/*.{ts,tsx}', { cwd: packageRoot() })) {
    const text = await readFile(path.join(packageRoot(), file), 'utf8');
    text.split('\n').forEach((one, index) => {
      lines.push({ file, text: one, place: `${file}:${index + 1}` });
    });
  }
});

const placesOf = (pattern: RegExp, except: string[] = []): string[] =>
  lines
    .filter(({ file, text }) => pattern.test(text) && !except.includes(file))
    .filter(({ text }) => !/^\s*(\*|\/\/|\/\*\*)/.test(text))
    .map(({ place }) => place);

test('reads the time only in src/platform/clocks.ts', () => {
  expect(placesOf(/Date\.now\(|new Date\(\)|Temporal\.Now/, ['src/platform/clocks.ts'])).toEqual(
    [],
  );
});

test('asks the database for the time only to compare clocks or marks', () => {
  const compared = [
    'src/platform/postgres/server-clock.ts',
    'src/platform/replica/marks.ts',
    'src/money/ledger/forged.ts',
    // Backups use the clock of the server whose log they store.
    'src/platform/backup/stream.ts',
    'src/platform/backup/take.ts',
  ];
  // A method of a clock is written `clock.now()` or declared `now(): …`.
  expect(placesOf(/(?<![\w.])now\(\)(?!:)|current_timestamp|clock_timestamp/i, compared)).toEqual(
    [],
  );
});

test('has no SQL in routes or presenters', () => {
  expect(placesOf(/sql`/).filter((place) => /(routes|present)\.ts/.test(place))).toEqual([]);
});

test('creates amounts only with the kernel’s functions, never with a cast', () => {
  expect(placesOf(/\bas Centavos\b/, ['src/kernel/money.ts'])).toEqual([]);
});

test('uses `at` only for moments, never for a position in a list or text', () => {
  expect(placesOf(/\[at\]|, at\) =>|let at\b|\[at, \w+\] of|\bat [-+] \d/)).toEqual([]);
});

test('names rows as the database does, and ledger accounts by name', () => {
  // `account_id` is a column, or a member of a row or of JSON; our own names use `accountId`.
  expect(placesOf(/\bas "[a-z]+[A-Z]/)).toEqual([]);
  expect(placesOf(/[(,{] ?account_id: string[,)]|(const|let) account_id\b/)).toEqual([]);
  expect(
    placesOf(/\b(ledger_)?account (=|in|>|<|between|<>) ?\(?\d|\d = any ?\((j\.)?accounts/),
  ).toEqual([]);
});

test('never bypasses the type checker', () => {
  expect(placesOf(/@ts-ignore|@ts-expect-error|\bas any\b|: any\b/)).toEqual([]);
});

test('has no file above 400 lines, and explains those above 300 on their first line', () => {
  const sizes = [...Map.groupBy(lines, ({ file }) => file)];
  expect(sizes.filter(([, own]) => own.length > 401).map(([file]) => file)).toEqual([]);
  const unexplained = sizes.filter(
    ([, own]) => own.length > 302 && !own[0]?.text.startsWith('// Longer than 300 lines: '),
  );
  expect(unexplained.map(([file]) => file)).toEqual([]);
});

test('uses the database driver only in the façade and for replication', () => {
  const driver = /(from |import\(|require\()'pg(-[a-z-]+)?'/;
  // A pool does not support the replication protocol.
  const own = ['src/platform/postgres/', 'src/platform/backup/replication.ts'];
  const inside = (place: string): boolean => own.some((path) => place.startsWith(path));
  expect(placesOf(driver).filter((place) => !inside(place))).toEqual([]);
});

/**
 * Files that may know which engine runs: the engine's own module, and the store of the hot write.
 */
const engineFiles = /^src\/(platform\/postgres\/distributed\/|money\/collections\/write\.ts$)/;
const knowsEngine = ({ file, text }: Line): boolean =>
  /\bisDistributed\b|\blayout\.(within|isMissed)\b/.test(text) && !engineFiles.test(file);

test('refers to the database engine only in one module and the hot write', () => {
  expect(lines.filter(knowsEngine).map(({ place }) => place)).toEqual([]);
  const planted = { file: 'src/qr/store.ts', place: 'src/qr/store.ts:1' };
  for (const text of ['sql.layout.isDistributed ? join : look', 'if (layout.within === null)']) {
    expect(knowsEngine({ ...planted, text })).toBe(true);
  }
  const known = lines.filter(({ text }) => /\.isDistributed\b/.test(text));
  expect(known.map(({ file }) => file)).toContain('src/money/collections/write.ts');
});

test('keeps all database timeouts in one table', () => {
  const timers = placesOf(/setTimeout\(|sleep\(/).filter((place) =>
    /postgres\/(connection|copy|pool|listener|transaction|connect|statement)\.ts/.test(place),
  );
  expect(timers.length).toBeGreaterThan(0);
  const numbers = lines.filter(
    ({ file, text }) =>
      file.startsWith('src/platform/postgres/') && /Ms: \d|timeout: \d/i.test(text),
  );
  expect([...new Set(numbers.map(({ file }) => file))]).toEqual([
    'src/platform/postgres/deadlines.ts',
  ]);
});

test('uses sequences only in the files that own them', () => {
  const owners = [
    'src/cli/backup/commands.ts',
    'src/events/feed.ts',
    'src/platform/postgres/broadcast.ts',
    'src/platform/postgres/id-blocks.ts',
    'src/platform/postgres/timeline.ts',
  ];
  const places = placesOf(/\b(nextval|setval|lastval|currval)\(/);
  expect([...new Set(places.map((place) => place.split(':')[0]))].toSorted()).toEqual(owners);
});

test('runs COPY only in transactions, because it would block the pool’s other statements', () => {
  const copied = /(\w+)(?:`[^`]*`|\.unsafe\([^;]*?\))\s*\.(?:readable|writable)\(\)/g;
  const texts = Map.groupBy(lines, ({ file }) => file);
  const copies = [...texts].flatMap(([file, own]) => {
    const text = own.map((line) => line.text).join('\n');
    return [...text.matchAll(copied)].map(([, name]) => ({
      file,
      inTransaction: new RegExp(`\\b${name}: Transaction\\b`).test(text),
    }));
  });
  expect(copies.length).toBe(placesOf(/\.(readable|writable)\(\)/).length);
  expect(copies.filter(({ inTransaction }) => !inTransaction)).toEqual([]);
});

test('rejects a function of 71 lines and accepts 70 in lint, not counting blank lines', async () => {
  const biome = path.join(packageRoot(), 'node_modules', '@biomejs', 'biome', 'bin', 'biome');
  const folder = await mkdtemp(path.join(packageRoot(), '.planted-'));
  const lint = async (count: number): Promise<string> => {
    const body = Array.from({ length: count }, (_, index) => `  console.log(${index});\n\n`);
    await writeFile(
      path.join(folder, 'one.ts'),
      `export function one(): void {\n${body.join('')}}\n`,
    );
    return await promisify(execFile)(process.execPath, [biome, 'lint', folder], {
      cwd: packageRoot(),
    }).then(
      () => 'accepted',
      (error: { stdout: string; stderr: string }) => error.stdout + error.stderr,
    );
  };
  try {
    expect(await lint(70)).toBe('accepted');
    expect(await lint(71)).toContain('noExcessiveLinesPerFunction');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
