import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';

/** The failures in Vitest's JSON report. */
interface Report {
  testResults: {
    name: string;
    status: string;
    message: string;
    assertionResults: { status: string; fullName: string; failureMessages: string[] }[];
  }[];
}

export interface Failure {
  file: string;
  test: string;
  /** First line of the message. */
  message: string;
}

/** A fault may make the code loop without end. The guards of a folder take a minute and a half. */
const longestRunMs = 20 * 60_000;

/** The tests did not end. */
export class Endless extends Error {}

const firstLine = (text = ''): string => text.split('\n', 1)[0]?.slice(0, 200) ?? '';

/**
 * Returns the failures: tests first, then files that failed outside a test. With `--bail`,
 * interrupted files count as failed too, so a failed test is better evidence.
 */
export function failuresIn({ testResults }: Report, root: string): Failure[] {
  const files = testResults.map((one) => ({ ...one, file: path.relative(root, one.name) }));
  const tests = files.flatMap(({ file, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === 'failed')
      .map(({ fullName, failureMessages }) => ({
        file,
        test: fullName,
        message: firstLine(failureMessages[0]),
      })),
  );
  const broken = files
    .filter(({ status, file }) => status === 'failed' && !tests.some((one) => one.file === file))
    .map(({ file, message }) => ({ file, test: '(outside a test)', message: firstLine(message) }));
  return [...tests, ...broken];
}

interface Order {
  tests: readonly string[];
  /** Stops at the first failure. */
  bail: boolean;
  signal: AbortSignal;
}

/**
 * Runs test files and folders of a tree, and returns the failures. Throws `Endless` at the
 * deadline.
 */
export async function runTests(root: string, { tests, bail, signal }: Order): Promise<Failure[]> {
  const output = path.join(root, 'mutant-report.json');
  await rm(output, { force: true });
  const child = spawn(
    process.execPath,
    [
      path.join(root, 'node_modules/vitest/vitest.mjs'),
      'run',
      '--reporter=json',
      `--outputFile=${output}`,
      // Long timeouts, because a slow test on a busy machine must not count as a caught fault.
      '--testTimeout=300000',
      '--hookTimeout=300000',
      ...(bail ? ['--bail=1'] : []),
      ...tests,
    ],
    // A group of its own, so that a worker in a loop can be killed too.
    { cwd: root, stdio: ['ignore', 'ignore', 'pipe'], detached: true },
  );
  const stop = () => child.kill('SIGINT');
  signal.addEventListener('abort', stop);
  let isEndless = false;
  const deadline = setTimeout(() => {
    isEndless = true;
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  }, longestRunMs);
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const [status] = await once(child, 'close');
  clearTimeout(deadline);
  signal.removeEventListener('abort', stop);
  signal.throwIfAborted();
  if (isEndless) throw new Endless('The tests did not end.');
  if (status === 0) return [];
  const text = await readFile(output, 'utf8').catch(() => null);
  const failures = text === null ? [] : failuresIn(JSON.parse(text), root);
  if (failures.length > 0) return failures;
  throw new Error(`vitest ended with ${status} and named no failed test: ${errors.slice(-2_000)}`);
}
