import { access, constants, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Config } from '../../config/index.ts';
import { diskRoom, leastFreeBytes } from '../../platform/disk.ts';
import { broken, type Check, type Finding, look, ok } from './finding.ts';

const leastFreeToWork = 64 * 1024 ** 2;

async function lookAtDisk({ DATA_DIR }: Config): Promise<Finding> {
  const folder = path.resolve(DATA_DIR);
  if (!(await stat(folder)).isDirectory()) {
    return broken(`${folder} is not a folder`, 'Create DATA_DIR, writable by this user.');
  }
  await access(folder, constants.W_OK);
  const { free } = await diskRoom(folder);
  const text = `${Math.floor(free / 1024 ** 2)} MiB free in ${folder}`;
  if (free < leastFreeToWork)
    return broken(text, 'Free disk space now: the service cannot store anything.');
  return free < leastFreeBytes ? look(text, 'Free disk space before it runs out.') : ok(text);
}

/** Open files needed for anything but connections: logs, pages, other sockets. */
const ownFiles = 256;

/**
 * Checks the limit of open files. Node.js raises its soft limit to the hard one, which only the
 * system changes.
 */
async function lookAtOpenFiles({
  MAX_CONNECTIONS,
  DATABASE_POOL,
}: Config): Promise<Finding | null> {
  const limits = await readFile('/proc/self/limits', 'utf8').catch(() => '');
  const most = Number(/^Max open files +\d+ +(\d+)/m.exec(limits)?.[1] ?? Number.NaN);
  if (Number.isNaN(most)) return null;
  const needed = MAX_CONNECTIONS + DATABASE_POOL + ownFiles;
  return most >= needed
    ? ok(`${most} for ${MAX_CONNECTIONS} connections of callers`)
    : look(
        `${most} for ${MAX_CONNECTIONS} connections of callers: calls fail long before that limit`,
        `Raise the limit (LimitNOFILE, ulimit -n) to ${needed}, or lower MAX_CONNECTIONS.`,
      );
}

export const machineChecks: readonly Check<Config>[] = [
  { what: 'open files', todo: 'Check the limits of this process.', look: lookAtOpenFiles },
  { what: 'disk', todo: 'Create DATA_DIR, writable by this user.', look: lookAtDisk },
];
