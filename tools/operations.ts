import { glob } from 'node:fs/promises';
import path from 'node:path';
import { type Language, languages } from '../src/language/localized-text.ts';
import type { Detail } from '../src/platform/details.ts';
import type { Members } from '../src/platform/http/form.ts';
import type { Listing } from '../src/platform/listings.ts';
import type { Operation } from '../src/platform/operations.ts';

/** A listing with any rows and options. */
export type AnyListing = Listing<never, string, string, undefined, Members>;

/** A command that lists rows, or shows one entity. */
type AnyReading = AnyListing | Detail<Members>;

const isOperation = (value: unknown): value is Operation =>
  typeof value === 'object' && value !== null && 'members' in value && 'run' in value;

const isReading = (value: unknown): value is AnyReading =>
  typeof value === 'object' &&
  value !== null &&
  (('columns' in value && 'read' in value) || 'facts' in value);

/** Returns the exports of every `operations.ts`. */
async function declarations(): Promise<unknown[]> {
  // Relative to this file, compiled or not.
  const root = path.join(import.meta.dirname, '..');
  const pattern = `src/**/operations${path.extname(import.meta.filename)}`;
  const files = (await Array.fromAsync(glob(pattern, { cwd: root }))).toSorted();
  const modules = await Promise.all(files.map((file) => import(path.join(root, file)) as object));
  return modules.flatMap((module) => Object.values(module));
}

export const declaredOperations = async (): Promise<Operation[]> =>
  (await declarations()).filter(isOperation);

/** Returns all declared listings, and what shows one entity. */
export const declaredListings = async (): Promise<AnyReading[]> =>
  (await declarations()).filter(isReading);

/** Returns the text keys that an operation may have. */
const keysOf = ({ members }: Operation): string[] => [
  ...[
    'does',
    'done',
    'aside',
    'submit',
    'operator',
    'title',
    'lead',
    'ask',
    'refused',
    'typed',
    'typed.fault',
  ],
  ...Object.keys(members).flatMap((name) => [
    name,
    ...['hint', 'help', 'fault', 'no'].map((kind) => `${name}.${kind}`),
  ]),
];

/** Returns the text keys of a listing's command: its description and each member. */
const wantedOf = ({ name, takes = {} }: AnyReading): string[] =>
  ['does', ...Object.keys(takes)].map((key) => `${name}.${key}`);

export const listingKeys = (all: readonly AnyReading[]): Set<string> =>
  new Set(all.flatMap((one) => [...wantedOf(one), `${one.name}.all`]));

/** Finds missing texts of listing commands. */
export const listingFaults = (all: readonly AnyReading[]): string[] =>
  all.flatMap((one) =>
    wantedOf(one)
      .filter((key) => !(key in one.texts.en))
      .map((key) => `${key} has no text in en`),
  );

export const operationKeys = (all: readonly Operation[]): Set<string> =>
  new Set(all.flatMap((one) => keysOf(one).map((key) => `${one.name}.${key}`)));

/**
 * Finds an operation's missing texts. Its command, in English, needs a description, each member,
 * and the outcome; its page needs these in both languages, and a submit text.
 */
export const operationFaults = (all: readonly Operation[]): string[] =>
  all.flatMap(({ name, members, command, api, texts }) => {
    const has = (language: Language, key: string): boolean => `${name}.${key}` in texts[language];
    // Pages ask neither for the account nor for members of their address.
    const own = Object.keys(members).filter(
      (member) => command || !['account', 'id'].includes(member),
    );
    const isPage = languages.some((language) => has(language, 'submit'));
    const wanted = {
      en: [
        ...(command || isPage ? own : []),
        ...(command ? ['does'] : []),
        ...(command && !command.lists ? ['done'] : []),
        ...(command?.operator ? ['operator'] : []),
        ...(isPage ? ['submit'] : []),
      ],
      es: isPage ? [...own, 'submit'] : [],
    };
    if (!isPage && !command && !api) return [`${name} has no door`];
    return languages.flatMap((language) =>
      wanted[language]
        .filter((key) => !has(language, key))
        .map((key) => `${name}.${key} has no text in ${language}`),
    );
  });
