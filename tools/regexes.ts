import { createHash } from 'node:crypto';
import { glob, readFile, writeFile } from 'node:fs/promises';
import vm from 'node:vm';
import { parse } from '@swc/core';
import { check, type Diagnostics } from 'recheck';

/**
 * Checks that no regular expression of the service backtracks catastrophically. To resolve a
 * finding, rewrite the expression or state the input's bound in a comment (`// bounded: 255
 * characters`, `// bounded: our own SQL`), or for a whole file (`// all bounded: …`). For a stated
 * length, the worst input is tried. `safe-regexes.txt` caches the fingerprints of checked
 * expressions; `npm run check:regexes -- --write` updates it.
 */
const cacheFile = 'tools/safe-regexes.txt';

/** Time limit for hard expressions, with and without a bound. */
const boundedMs = 5_000;
const checkMs = 60_000;
/** Time limit for matching the longest input. */
const mostMatchMs = 20;

interface Regex {
  file: string;
  pattern: string;
  flags: string;
  /** The bound stated in a comment; null if there is none. */
  bound: string | null;
}

const fingerprint = ({ pattern, flags }: Regex): string =>
  createHash('sha256').update(`/${pattern}/${flags}`).digest('hex').slice(0, 16);

function* literalsIn(node: unknown): Generator<{ pattern: string; flags: string }> {
  if (typeof node !== 'object' || node === null) return;
  if ('type' in node && node.type === 'RegExpLiteral') {
    const { pattern, flags } = node as unknown as { pattern: string; flags: string };
    yield { pattern, flags };
  }
  for (const child of Object.values(node)) yield* literalsIn(child);
}

/** Returns the bound in a comment on an expression's line, or on one of the two lines above. */
function boundOf(code: string, literal: string): string | null {
  const line = code.slice(0, code.indexOf(literal)).split('\n').length;
  const near = code.split('\n').slice(Math.max(0, line - 3), line);
  const beside = near.map((text) => /\/\/ bounded: (.+)$/.exec(text)?.[1]).findLast((one) => one);
  return beside ?? /^\/\/ all bounded: (.+)$/m.exec(code)?.[1] ?? null;
}

async function regexesIn(file: string): Promise<Regex[]> {
  const code = await readFile(file, 'utf8');
  const tree = await parse(code, { syntax: 'typescript', tsx: file.endsWith('x') });
  return [...literalsIn(tree)].map(({ pattern, flags }) => ({
    file,
    pattern,
    flags,
    bound: boundOf(code, `/${pattern}/`),
  }));
}

/** Returns the slowest input of a length; null if the checker knows none. */
function worstText(found: Diagnostics, length: number): string | null {
  if (found.status !== 'vulnerable') return null;
  const { attack } = found;
  const fixed = attack.pumps.reduce((sum, { prefix }) => sum + prefix.length, 0);
  const pumped = attack.pumps.reduce((sum, { pump }) => sum + pump.length, 0);
  const times = Math.max(1, Math.floor((length - fixed - attack.suffix.length) / pumped));
  return (
    attack.pumps.map(({ prefix, pump }) => prefix + pump.repeat(times)).join('') + attack.suffix
  );
}

/** True if matching the worst input within the bound takes no noticeable time. */
function isHarmless({ pattern, flags, bound }: Regex, found: Diagnostics): boolean {
  const [, characters] = /^([\d,]+) characters/.exec(bound ?? '') ?? [];
  if (characters === undefined) return bound !== null;
  const text = worstText(found, Number(characters.replaceAll(',', '')));
  if (text === null) return true;
  const run = (): number => {
    const before = process.cpuUsage();
    vm.runInNewContext(
      'new RegExp(p, f).exec(t)',
      { p: pattern, f: flags, t: text },
      { timeout: 5_000 },
    );
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };
  try {
    return Math.min(run(), run(), run()) < mostMatchMs;
  } catch {
    return false;
  }
}

async function faultOf(regex: Regex): Promise<string | null> {
  // The checker does not support class sets and indices, which are irrelevant here.
  const flags = regex.flags.replace('d', '').replace('v', 'u');
  const found = await check(regex.pattern, flags, {
    timeout: regex.bound === null ? checkMs : boundedMs,
  });
  if (found.status === 'safe' || isHarmless(regex, found)) return null;
  const why = found.status === 'vulnerable' ? found.complexity.summary : found.error.kind;
  return `${regex.file}: /${regex.pattern}/${regex.flags} is not safe (${why})`;
}

const folders = ['src', 'connectors'];
const files = await Array.fromAsync(glob(folders.map((name) => `${name}/**/*.{ts,tsx,js}`)));
const all = (await Promise.all(files.toSorted().map(regexesIn))).flat();
const safe = new Set((await readFile(cacheFile, 'utf8').catch(() => '')).split('\n'));
const faults: string[] = [];
const passed = new Set<string>();
const done = new Set<string>();
for (const regex of all) {
  const key = `${fingerprint(regex)} ${regex.bound ?? ''}`.trim();
  if (done.has(key)) continue;
  done.add(key);
  const fault = safe.has(key) ? null : await faultOf(regex);
  if (fault === null) passed.add(key);
  else faults.push(fault);
}
if (process.argv.includes('--write')) {
  await writeFile(cacheFile, `${[...passed].toSorted().join('\n')}\n`);
}
if (faults.length > 0) {
  console.error(
    [
      ...faults,
      'Rewrite them, or say beside each how long its text can be: tools/regexes.ts.',
    ].join('\n'),
  );
}
process.exit(faults.length > 0 ? 1 : 0);
