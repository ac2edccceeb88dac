import { glob, readFile } from 'node:fs/promises';
import path from 'node:path';
import { IntlMessageFormat } from 'intl-messageformat';
import { centavos } from '../src/kernel/money.ts';
import {
  LocalizedText,
  languages,
  type ParameterSpec,
  type Texts,
} from '../src/language/localized-text.ts';
import { refusalStatuses } from '../src/platform/errors.ts';
import type { CodeSpec, Refusals } from '../src/platform/refusals.ts';
import { samples } from './refusal-samples.ts';

/** A noun's codes and texts, declared in its `codes.ts`. */
export interface Declared {
  /** Its folder below `src`. */
  noun: string;
  codes: Readonly<Record<string, CodeSpec>>;
  texts: Texts;
}

type Module = { refusals: Pick<Refusals<Record<string, CodeSpec>>, 'codes' | 'texts'> };

/** Returns the declarations of every `codes.ts`. */
export async function declaredCodes(): Promise<Declared[]> {
  // Relative to this file, compiled or not.
  const root = path.join(import.meta.dirname, '..');
  const pattern = `src/**/codes${path.extname(import.meta.filename)}`;
  const files = (await Array.fromAsync(glob(pattern, { cwd: root }))).toSorted();
  const all: Declared[] = [];
  for (const file of files) {
    const { refusals } = (await import(path.join(root, file))) as Partial<Module>;
    if (refusals) all.push({ noun: path.dirname(file).slice('src/'.length), ...refusals });
  }
  return all;
}

type Elements = ReturnType<IntlMessageFormat['getAst']>;

/** Returns the parameter names in a text. */
function parametersOf(elements: Elements): string[] {
  return elements.flatMap((element) => {
    const own = 'value' in element && element.type !== 0 ? [String(element.value)] : [];
    const inner =
      'options' in element && element.options
        ? Object.values(element.options).flatMap(({ value }) => parametersOf(value))
        : [];
    return [...own, ...inner];
  });
}

/** Returns a text's parameters, or a sentence about its syntax fault. */
export function readText(text: string): string[] | string {
  try {
    return parametersOf(new IntlMessageFormat(text, 'en', undefined, { ignoreTag: true }).getAst());
  } catch (error) {
    return String(error);
  }
}

function textFaults({ codes, texts }: Declared, code: string): string[] {
  const { parameters } = codes[code] as { parameters: ParameterSpec };
  const used = new Set<string>();
  const faults = languages.flatMap((language) => {
    const text = texts[language][code];
    if (text === undefined) return [`${code} has no text in ${language}`];
    const read = readText(text);
    if (typeof read === 'string') return [`${code} cannot be read in ${language}: ${read}`];
    for (const name of read) used.add(name);
    return read
      .filter((name) => !(name in parameters))
      .map((name) => `${code} uses {${name}} in ${language}, which it is not given`);
  });
  const idle = Object.keys(parameters).filter((name) => !used.has(name));
  return [...faults, ...idle.map((name) => `${code} is given ${name}, and no text uses it`)];
}

/**
 * Finds faults of codes and their texts: keys missing in one language or without a code, parameters
 * missing or unused, codes declared by two nouns or unused in `sources`. `others` are the keys of
 * operations.
 */
export function codeFaults(
  all: readonly Declared[],
  sources: readonly string[],
  others: ReadonlySet<string> = new Set(),
): string[] {
  const seen = new Set<string>();
  return all.flatMap((declared) => {
    const { noun, codes, texts } = declared;
    const unknown = languages.flatMap((language) =>
      Object.keys(texts[language])
        .filter((key) => !(key in codes || others.has(key)))
        .map((key) => `${noun} has a text for ${key} in ${language}, which is no code`),
    );
    const own = Object.keys(codes).flatMap((code) => {
      const twice = seen.has(code) ? [`${code} is declared twice`] : [];
      seen.add(code);
      const isUsed = sources.some((source) => source.includes(`'${code}'`));
      return [
        ...twice,
        ...(isUsed ? [] : [`nothing refuses with ${code}`]),
        ...textFaults(declared, code),
      ];
    });
    return [...unknown, ...own];
  });
}

/** Returns the service's sources, except for the declarations. */
export async function sourcesOf(root: string): Promise<string[]> {
  const files = await Array.fromAsync(glob('src/**/*.{ts,tsx}', { cwd: root }));
  const users = files.filter((file) => path.basename(file) !== 'codes.ts');
  return await Promise.all(users.map((file) => readFile(path.join(root, file), 'utf8')));
}

function exampleOf({ texts }: Declared, code: string, parameters: ParameterSpec): string {
  const values = Object.entries(parameters).map(([name, type]) => {
    const sample = samples[`${code} ${name}`] ?? samples[name];
    const number = typeof sample === 'number' ? sample : null;
    if (type === 'money') return [name, centavos(number ?? 143_000)] as const;
    if (type === 'day')
      return [name, Temporal.PlainDate.from(String(sample ?? '2026-12-05'))] as const;
    if (type === 'moment') return [name, String(sample ?? '2026-12-05T12:00:00Z')] as const;
    if (type === 'count') return [name, number ?? 7] as const;
    if (sample === undefined) throw new Error(`${code} has no sample of ${name}.`);
    if (type === 'lines') return [name, [String(sample)]] as const;
    return [name, sample] as const;
  });
  return new LocalizedText({ key: code, texts, spec: parameters }, Object.fromEntries(values)).in(
    'en',
  );
}

/** A section of `docs/reference/errors.md`: codes for one audience. */
interface Part {
  title: string;
  intro: string;
  /** Its nouns, in order; an empty name stands for the codes without a noun. */
  nouns: readonly string[];
}

const parts: readonly Part[] = [
  {
    title: 'Any call',
    intro: 'What is wrong with a call or a field, whatever the call is about.',
    nouns: ['', 'field', 'api_key'],
  },
  {
    title: 'Payments service',
    intro:
      'Codes of a noun stand together. Debits on cards share those of `debit_request`, and mandates ' +
      'on cards those of `adhesion`, where they have none of their own.',
    nouns: [
      'payment_request',
      'request',
      'adhesion',
      'card_adhesion',
      'debit_request',
      'card_debit_request',
      'debit',
      'charge',
      'refund',
      'reversal',
      'ledger',
      'calendar',
      'report',
      'webhook',
      'event',
      'document',
      'sandbox',
    ],
  },
  {
    title: 'QR service',
    intro: '`code` of these answers is an `H…` of [qr.md](../how-to/qr.md#codes).',
    nouns: ['qr', 'qr_batch', 'qr_upload'],
  },
  {
    title: 'Notices of connectors',
    intro: 'Answers to connectors that report money: [the protocol](connectors/README.md).',
    nouns: ['notice'],
  },
];

/** Codes of pages and commands, which API callers never get. */
const office: Part = {
  title: 'Portal and commands',
  intro:
    'Sentences that people read on pages and in commands. No call with an API key is answered with ' +
    'one of these codes.',
  nouns: [],
};

/** Codes listed separately from their noun. */
const apart: Readonly<Record<string, string>> = {
  'account.not_found': 'Payments service',
  'account.takes_no_payments': 'Payments service',
  'charge.forged': 'Notices of connectors',
  'charge.kind_unavailable': 'Notices of connectors',
  'charge.not_connected': 'Notices of connectors',
  'charge.reported_differently': 'Notices of connectors',
  'dispute.other_charge': 'Notices of connectors',
  ...Object.fromEntries(
    [
      'adhesion.changed_meanwhile',
      'adhesion.not_waiting',
      'adhesion.time_to_sign_over',
      'api_key.exists',
      'api_key.expiry_past',
      'api_key.limit_reached',
      'api_key.not_found',
      'calendar.day_long_past',
      'calendar.day_too_far',
      'card_adhesion.debits_undecided',
      'card_adhesion.not_canceled',
      'certificate_key_unfit',
      'certificate_not_valid_now',
      'certificate_unreadable',
      'changed_meanwhile',
      'debit.does_not_wait',
      'debit.not_found',
      'environment_differs',
      'payment_request.not_withdrawable',
      'qr_upload.rows_broken',
      'refund.ended',
      'refund.forged',
      'refund.payment_not_found',
      'webhook.tests_busy',
    ].map((code) => [code, office.title]),
  ),
};

const nounOf = (code: string): string =>
  code.includes('.') ? code.slice(0, code.indexOf('.')) : '';

function partOf(code: string): Part {
  const title = apart[code];
  const noun = nounOf(code);
  const named = (part: Part): boolean =>
    title === undefined ? part.nouns.includes(noun) : part.title === title;
  return parts.find(named) ?? office;
}

function rowOf(declared: Declared, code: string, { kind, parameters, help }: CodeSpec): string {
  const says = exampleOf(declared, code, parameters)
    .replaceAll('<', '&lt;')
    .replaceAll('|', '\\|')
    .replaceAll('\n', ' ');
  const status = kind === 'field' || kind === 'part' ? 'field' : refusalStatuses[kind];
  return `| \`${code}\` | ${status} | ${says} | ${help} |`;
}

/** Returns the codes that examples and exceptions name but no noun declares. */
export const strayCodes = (all: readonly Declared[]): string[] => {
  const known = new Set(all.flatMap(({ codes }) => Object.keys(codes)));
  const named = Object.keys(samples).flatMap((key) => (key.includes(' ') ? key.split(' ', 1) : []));
  return [...Object.keys(apart), ...named].filter((code) => !known.has(code));
};

/** Renders the tables of codes for `docs/reference/errors.md`. */
export function refusalCodes(all: readonly Declared[]): string {
  const rows = all.flatMap((declared) =>
    Object.entries(declared.codes)
      .filter(([, { kind }]) => kind !== 'part')
      .map(([code, spec]) => ({ code, part: partOf(code), row: rowOf(declared, code, spec) })),
  );
  const sections = [...parts, office].flatMap(({ title, intro, nouns }) => {
    const own = rows.filter(({ part }) => part.title === title);
    const order = [...new Set([...nouns, ...own.map(({ code }) => nounOf(code))])];
    const sorted = order.flatMap((noun) => own.filter(({ code }) => nounOf(code) === noun));
    const lines = [
      '| Code | Status | Says, for example | Cause, and what to do |',
      '| --- | --- | --- | --- |',
      ...sorted.map(({ row }) => row),
    ];
    return [`### ${title}`, intro, lines.join('\n')];
  });
  return sections.join('\n\n');
}
