import { glob, readFile } from 'node:fs/promises';
import path from 'node:path';
import {
  type Declared,
  declaredCatalogs,
  isFlat,
  type SpecTree,
  type Tree,
} from '../src/language/catalog.ts';
import { type Language, languages, type ParameterSpec } from '../src/language/localized-text.ts';
import { readText } from './refusal-codes.ts';

/** Texts of pages, mails and files, and the sources that can use them. */
export interface PageTexts extends Declared {
  /** Its path below `src`, without language and extension. */
  name: string;
  /** Sources in its folder, and those that import it. */
  users: readonly string[];
}

interface Source {
  file: string;
  text: string;
}

const withoutComments = (text: string): string =>
  text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');

async function sourcesIn(root: string): Promise<Source[]> {
  const files = (await Array.fromAsync(glob('src/**/*.{ts,tsx}', { cwd: root }))).toSorted();
  const read = async (file: string) => ({
    file,
    text: withoutComments(await readFile(path.join(root, file), 'utf8')),
  });
  return await Promise.all(files.map(read));
}

/** True if a source imports a module, or is in its folder. */
const canUse = (module: string) => {
  const folder = path.dirname(module);
  return ({ file, text }: Source): boolean =>
    file !== module &&
    (path.dirname(file) === folder ||
      [...text.matchAll(/from '(\..+?)'/g)].some(
        ([, from = '']) => path.join(path.dirname(file), from) === module,
      ));
};

/** Returns every text catalog of the service, with the sources that can use it. */
export async function pageTexts(root: string): Promise<PageTexts[]> {
  const sources = await sourcesIn(root);
  const modules = sources.filter(({ text }) => /\bcatalog\(\s*\{ en, es \}/.test(text));
  const all: PageTexts[] = [];
  for (const module of modules) {
    await import(path.join(root, module.file));
    const [, base = ''] = /from '\.\/(.+)\.en\.json'/.exec(module.text) ?? [];
    const name = path.join(path.dirname(module.file), base);
    const english = JSON.parse(await readFile(path.join(root, `${name}.en.json`), 'utf8'));
    const same = JSON.stringify(english);
    const one = declaredCatalogs().find(({ texts }) => JSON.stringify(texts.en) === same);
    if (!one) throw new Error(`${module.file} declares no catalog`);
    const users = sources.filter(canUse(module.file)).map(({ text }) => text);
    all.push({ ...one, name: name.slice('src/'.length), users: [...users, module.text] });
  }
  return all;
}

/** Matches a placeholder. Texts without parameters are shown verbatim, including placeholders. */
const looksGiven = /\{\s*\w+\s*[,}]/;

interface Walk {
  name: string;
  faults: string[];
  /** Parameters used by texts, by declaration. */
  used: Map<ParameterSpec, { place: string; names: Set<string> }>;
}

function leafFaults(walk: Walk, place: string, leaf: Leaf): void {
  const { texts, spec } = leaf;
  for (const language of languages) {
    const text = texts[language];
    if (spec === undefined) {
      if (looksGiven.test(String(text))) {
        walk.faults.push(`${place} has a parameter in ${language}, and none is declared`);
      }
      continue;
    }
    const read = readText(String(text));
    if (typeof read === 'string') {
      walk.faults.push(`${place} cannot be read in ${language}: ${read}`);
      continue;
    }
    for (const parameter of read) {
      if (parameter in spec) walk.used.get(spec)?.names.add(parameter);
      else walk.faults.push(`${place} uses {${parameter}} in ${language}, which it is not given`);
    }
  }
}

interface Leaf {
  texts: Readonly<Record<Language, Tree[string] | undefined>>;
  spec: ParameterSpec | undefined;
}

const isGroup = (text: Tree[string] | undefined): text is Tree =>
  typeof text === 'object' && !Array.isArray(text);

function walkTexts(walk: Walk, place: string, { texts, spec }: { texts: Groups; spec: SpecTree }) {
  const keys = new Set(languages.flatMap((language) => Object.keys(texts[language])));
  const shared = isFlat(spec) && Object.keys(spec).length > 0 ? spec : undefined;
  for (const key of Object.keys(shared === undefined ? spec : {})) {
    if (!keys.has(key)) walk.faults.push(`${place}${key} has parameters and no text`);
  }
  for (const key of keys) {
    const own = shared ?? (isFlat(spec) ? undefined : spec[key]);
    const both = { en: texts.en[key], es: texts.es[key] };
    const lacking = languages.filter((language) => both[language] === undefined);
    for (const language of lacking) walk.faults.push(`${place}${key} has no text in ${language}`);
    if (lacking.length > 0) continue;
    if (own !== undefined && isFlat(own) && !walk.used.has(own)) {
      walk.used.set(own, { place: `${place}${key}`, names: new Set() });
    }
    if (isGroup(both.en) && isGroup(both.es)) {
      walkTexts(walk, `${place}${key}.`, { texts: { en: both.en, es: both.es }, spec: own ?? {} });
    } else
      leafFaults(walk, `${place}${key}`, { texts: both, spec: own as ParameterSpec | undefined });
  }
}

type Groups = Readonly<Record<Language, Tree>>;

/** Returns keys with their groups, innermost first. */
const keysOf = (tree: Tree, groups: string[] = []): (readonly [string, string[]])[] =>
  Object.entries(tree).flatMap(([key, text]) => [
    [key, groups] as const,
    ...(isGroup(text) ? keysOf(text, [key, ...groups]) : []),
  ]);

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** True if a source contains a key, or all its parts, as words. */
const names = (source: string, key: string): boolean =>
  key
    .split('.')
    .every((part) => new RegExp(`(?<![\\w-])${escaped(part)}(?![\\w-])`, 'i').test(source));

/** True if code selects a group's texts dynamically, or passes the whole group on. */
function chooses(source: string, group: string | null): boolean {
  const [name, whole] =
    group === null
      ? ['(?:texts|words)', '\\[(?:\\w+\\.)*lang\\]']
      : [`\\b${escaped(group)}\\b`, `\\.${escaped(group)}\\b`];
  const handed = `${name}\\)?\\[(?!(?:\\w+\\.)*lang\\])|${whole}\\s*[[,)}]|'${group}'|${name}: \\w+[, ]`;
  const aliases = source.matchAll(new RegExp(`const (\\w+)(?:: [^=;]+)? = [^=;]*${whole};`, 'g'));
  const alias = [...aliases].map(([, one]) => `\\b${one}\\[|[:(,] ?${one}[,)]`);
  return new RegExp([handed, ...alias].join('|')).test(source);
}

/**
 * Finds faults of page texts: keys missing in one language or unused, and parameters missing,
 * unknown or unused. `words` come from the whole code, because any of it may select texts.
 */
export function pageFaults(all: readonly PageTexts[], words: string): string[] {
  return all.flatMap(({ name, texts, spec, users }) => {
    const walk: Walk = { name, faults: [], used: new Map() };
    walkTexts(walk, `${name}: `, { texts, spec });
    const idle = [...walk.used].flatMap(([own, { place, names: found }]) =>
      Object.keys(own)
        .filter((parameter) => !found.has(parameter))
        .map((parameter) => `${place} is given ${parameter}, and no text uses it`),
    );
    const isUsed = ([key, groups]: readonly [string, string[]]): boolean => {
      const choices = groups.length > 0 ? groups : [null];
      const isChosen = (source: string) => choices.some((group) => chooses(source, group));
      return (
        users.some((source) => names(source, key)) || (users.some(isChosen) && names(words, key))
      );
    };
    const unused = keysOf(texts.en).filter((one) => !isUsed(one));
    return [
      ...walk.faults,
      ...idle,
      ...unused.map(([key, [group]]) => `${name}: nobody uses ${key} of ${group ?? 'it'}`),
    ];
  });
}

/** Returns the words in code that can select texts: members and strings. */
export async function wordsOf(root: string): Promise<string> {
  const sources = await sourcesIn(root);
  return sources
    .flatMap(({ text }) => [
      ...text.matchAll(/'[^'\n]+'|`[^`]+`|\b\w+\??:/g).map((found) => found[0]),
    ])
    .join('\n');
}
