import { glob, readFile } from 'node:fs/promises';
import path from 'node:path';
import { IntlMessageFormat } from 'intl-messageformat';
import { centavos } from '../src/kernel/money.ts';
import { languages, type ParameterSpec, Said, type Texts } from '../src/language/said.ts';
import { refusalStatuses } from '../src/platform/errors.ts';
import type { CodeSpec, Refusals } from '../src/platform/refusals.ts';

/** The codes of a noun and their texts, as its `codes.ts` declares them. */
export interface Declared {
  /** Its folder below `src`. */
  noun: string;
  codes: Readonly<Record<string, CodeSpec>>;
  texts: Texts;
}

type Module = { refusals: Pick<Refusals<Record<string, CodeSpec>>, 'codes' | 'texts'> };

/** Returns the declarations of every `codes.ts`. */
export async function declaredCodes(): Promise<Declared[]> {
  // Beside this file, compiled or not.
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

/** Names of the parameters that a text uses. */
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

/** The parameters of a text; a sentence where it is none that can be said. */
function readText(text: string): string[] | string {
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
 * Finds faults of codes and their texts: a key that one language lacks or that has no code, a
 * parameter that is missing or idle, a code that two nouns declare or that no file of `sources` uses.
 */
export function codeFaults(all: readonly Declared[], sources: readonly string[]): string[] {
  const seen = new Set<string>();
  return all.flatMap((declared) => {
    const { noun, codes, texts } = declared;
    const unknown = languages.flatMap((language) =>
      Object.keys(texts[language])
        .filter((key) => !(key in codes))
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

/** All sources of the service but the declarations. */
export async function sourcesOf(root: string): Promise<string[]> {
  const files = await Array.fromAsync(glob('src/**/*.{ts,tsx}', { cwd: root }));
  const users = files.filter((file) => path.basename(file) !== 'codes.ts');
  return await Promise.all(users.map((file) => readFile(path.join(root, file), 'utf8')));
}

/** Parameters of examples, where one of their code or name says more than its name. */
const samples: Readonly<Record<string, string>> = {
  account: 'A1B2C3D4',
  'account.id_taken id': 'A1B2C3D4',
  'account.profile_invalid field': 'email',
  'adhesion.account_not_active state': 'suspended',
  'adhesion.not_waiting state': 'signed',
  brand: 'Visa',
  channel: 'Rapipago',
  channels: 'credit_card, non_banking',
  'card_adhesion.not_canceled state': 'signed',
  'card_debit_request.period_closed first': '12/2026',
  'debit_request.adhesion_not_signed state': 'canceled',
  format: 'pago-facil',
  job: 'debits answered',
  kind: 'payout',
  name: '{enlace}',
  now: '2026-12-05T09:00:00-03:00',
  after: '7',
  allowed: 'page, limit',
  'body_too_complex bound': 'depth',
  connector: 'acquirer',
  'connector.not_configured name': 'acquirer',
  'connector.settings_invalid name': 'acquirer',
  'duplicate_member name': '"amount"',
  example: '05-12-2026',
  expected: 'text',
  fault: 'It must be one of: qr, DEBIN.',
  faults: '/amount must be a number',
  'field.no_such_day wrong': 'month',
  'field.wrong_value value': '"cash"',
  'field.unknown_choice allowed': 'qr, DEBIN',
  'field.direction_characters found': 'U+202E',
  'field.not_day format': 'dd-mm-yyyy',
  found: 'number',
  'invalid_json found': '"}"',
  'letter.decided state': 'replayed',
  lines: 'no',
  member: 'paid_at',
  'method_not_allowed allowed': 'GET, POST',
  method: 'PATCH',
  'notice.not_accepted why': 'No signature is of a secret that is known here.',
  'notice.not_allowed type': 'qr.confirmed',
  'notice.subject_not_found what': 'charge',
  'unknown_query_parameter name': '"pages"',
  names: 'recaudo serve',
  outcome: 'returned',
  'payout.files_differ files': 'transfers-R-1.csv',
  purpose: 'links',
  'payer_mail.account_not_active state': 'suspended',
  'payer_mail.nothing_to_send state': 'expired',
  'payment_request.not_payable state': 'paid',
  'payment_request.not_withdrawable state': 'paid',
  period: '10/2026',
  plans: '39 (1, 3, 6)',
  'sandbox.other_kind_of_card kind': 'credit',
  'payout.not_covered owes': 'no',
  'payout.takes_two paid': 'no',
  permission: 'write',
  'proposal.decided state': 'approved',
  reference: 'R-1',
  role: 'recaudo',
  size: 'small',
  'refund.account_not_active state': 'suspended',
  'refund.ended state': 'done',
  state: 'in_process',
  'user.not_active state': 'suspended',
  type: 'refund',
  value: '"1,5"',
  wanted: 'It must be a text of 1 to 255 characters.',
  'field.too_many_decimals wanted':
    'It must be an amount of 0.01 to 99999999.99 with at most 2 decimals.',
  'field.too_many_digits wanted':
    'It must be an amount of 0.01 to 99999999.99 with at most 2 decimals.',
  what: 'charges',
  why: 'it does not answer',
  wrapper: 'payment_request',
  'wrapper_missing found': 'description, first_total',
};

function exampleOf({ texts }: Declared, code: string, parameters: ParameterSpec): string {
  const values = Object.entries(parameters).map(([name, type]) => {
    if (type === 'money') return [name, centavos(143_000)] as const;
    if (type === 'day') return [name, Temporal.PlainDate.from('2026-12-05')] as const;
    if (type === 'lines') return [name, [{ in: () => 'line 3: …' }]] as const;
    return [
      name,
      type === 'count' ? 7 : (samples[`${code} ${name}`] ?? samples[name] ?? 'yes'),
    ] as const;
  });
  return new Said({ key: code, texts, spec: parameters }, Object.fromEntries(values)).in('en');
}

/** The table of codes for `docs/errors.md`. */
export const refusalCodes = (all: readonly Declared[]): string =>
  [
    '| Code | Status | Says, for example | Cause, and what to do |',
    '| --- | --- | --- | --- |',
    ...all.flatMap((declared) =>
      Object.entries(declared.codes).flatMap(([code, { kind, parameters, help }]) => {
        if (kind === 'part') return [];
        const says = exampleOf(declared, code, parameters)
          .replaceAll('<', '&lt;')
          .replaceAll('|', '\\|')
          .replaceAll('\n', ' ');
        const status = kind === 'field' ? 'field' : refusalStatuses[kind];
        return `| \`${code}\` | ${status} | ${says} | ${help} |`;
      }),
    ),
  ].join('\n');
