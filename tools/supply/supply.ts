import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';

/** A package of the lockfile; `dev` and `optional` as npm marks them. */
export interface Locked {
  version?: string;
  license?: string;
  dev?: boolean;
  devOptional?: boolean;
  optional?: boolean;
  link?: boolean;
}

/** Exceptions by package, with their reasons. */
export interface Reasons {
  licenses: Readonly<Record<string, string>>;
  large: Readonly<Record<string, string>>;
}

/** Licenses whose only condition is to include their notice. */
const allowed = new Set([
  ...['0BSD', 'Apache-2.0', 'BlueOak-1.0.0', 'BSD-2-Clause', 'BSD-3-Clause', 'CC0-1.0', 'ISC'],
  ...['MIT', 'MIT-0', 'Unlicense', 'Zlib'],
]);

/** Returns true for an allowed license, and for an SPDX expression that allowed ones satisfy. */
export function isAllowed(license: string): boolean {
  const plain = license.replaceAll(/[()]/g, '');
  const isEach = (text: string): boolean => text.split(' AND ').every((one) => allowed.has(one));
  return plain.split(' OR ').some(isEach);
}

export const largeMb = 20;
export const mostProductionMb = 130;

/** Returns the name of a package by its place in the lockfile. */
const nameOf = (place: string): string => place.slice(place.lastIndexOf('node_modules/') + 13);

const isDevelopment = ({ dev, devOptional }: Locked): boolean => (dev ?? devOptional) === true;

/** True for an excepted package. A program's packages for several platforms share an exception. */
const isExcepted = (name: string, reasons: Reasons['licenses']): boolean =>
  Object.keys(reasons).some((one) => name === one || name.startsWith(`${one}-`));

/** Returns packages whose license is neither allowed nor excepted. */
export function licenseFaults(
  packages: Readonly<Record<string, Locked>>,
  { licenses }: Reasons,
): string[] {
  return Object.entries(packages)
    .filter(([place, { link }]) => place !== '' && !link)
    .filter(([place, { license = '' }]) => {
      return !isAllowed(license) && !isExcepted(nameOf(place), licenses);
    })
    .map(([place, { license = 'none' }]) => `${nameOf(place)} has the license ${license}`);
}

/** An installed package, without the packages nested in it. */
export interface Installed extends Locked {
  name: string;
  mb: number;
}

/**
 * Returns development packages that are large without a reason, and an oversized production
 * install.
 */
export function sizeFaults(installed: readonly Installed[], { large }: Reasons): string[] {
  const unexplained = installed
    .filter((one) => isDevelopment(one) && one.mb > largeMb && !(one.name in large))
    .map(({ name, mb }) => `${name} takes ${mb.toFixed(1)} MB, and tools/supply has no reason`);
  const production = productionMb(installed);
  return production > mostProductionMb
    ? [...unexplained, `production takes ${production.toFixed(1)} MB, at most ${mostProductionMb}`]
    : unexplained;
}

/**
 * Adds up the packages of a production install. Ignores optional ones, which it omits, because
 * Node.js and PostgreSQL come from the machine.
 */
export const productionMb = (installed: readonly Installed[]): number =>
  installed
    .filter((one) => !isDevelopment(one) && !one.optional)
    .reduce((sum, { mb }) => sum + mb, 0);

async function bytesIn(folder: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const place = path.join(folder, entry.name);
    if (entry.isFile()) bytes += (await stat(place)).size;
    else if (entry.isDirectory() && entry.name !== 'node_modules') bytes += await bytesIn(place);
  }
  return bytes;
}

export async function readLock(root: string): Promise<Record<string, Locked>> {
  const lock = await readFile(path.join(root, 'package-lock.json'), 'utf8');
  return (JSON.parse(lock) as { packages: Record<string, Locked> }).packages;
}

export const readReasons = async (): Promise<Reasons> =>
  JSON.parse(await readFile(path.join(import.meta.dirname, 'reasons.json'), 'utf8'));

/** Measures the packages that are installed on this platform. */
export async function readInstalled(root: string): Promise<Installed[]> {
  const installed: Installed[] = [];
  for (const [place, locked] of Object.entries(await readLock(root))) {
    const bytes = place === '' ? null : await bytesIn(path.join(root, place)).catch(() => null);
    if (bytes !== null) installed.push({ ...locked, name: nameOf(place), mb: bytes / 1e6 });
  }
  return installed;
}
