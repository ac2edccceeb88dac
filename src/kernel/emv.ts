import { type Centavos, decimalText } from './money.ts';
import { toAscii } from './text.ts';

/** A data object to write: two digits and a value, or a template with objects. */
export type EmvField = readonly [id: string, value: string | readonly EmvField[]];

/** A parsed data object. Templates have `children`. */
export interface EmvObject {
  readonly id: string;
  readonly value: string;
  readonly children?: readonly EmvObject[];
}

/**
 * `crc`: wrong or missing. `structure`: lengths do not add up, an id repeats, or format or CRC are
 * out of place. `missing`: a mandatory object is absent.
 */
export type EmvFault = 'crc' | 'structure' | 'missing';

export type ParsedPayload =
  | { readonly ok: true; readonly objects: readonly EmvObject[] }
  | { readonly ok: false; readonly fault: EmvFault };

/** CRC of each byte, precomputed. */
const crcTable = Uint16Array.from({ length: 256 }, (_none, byte) => {
  let crc = byte << 8;
  for (let bit = 0; bit < 8; bit += 1) crc = (crc & 0x8000) === 0 ? crc << 1 : (crc << 1) ^ 0x1021;
  return crc;
});

const utf8 = new TextEncoder();

/**
 * Computes the CRC of ISO/IEC 13239 (polynomial 0x1021, initial value 0xFFFF) over UTF-8, as four
 * upper-case hex digits.
 */
export function crc16(text: string): string {
  let crc = 0xffff;
  for (const byte of utf8.encode(text)) {
    crc = ((crc << 8) & 0xffff) ^ (crcTable[(crc >> 8) ^ byte] as number);
  }
  return crc.toString(16).toUpperCase().padStart(4, '0');
}

/** Counts characters. Only those beyond U+FFFF take two code units. */
const charactersIn = (text: string): number =>
  /[\ud800-\udfff]/.test(text) ? [...text].length : text.length;

/**
 * Writes data objects in sequence. Lengths count characters, 1 to 99. Throws RangeError if an id or
 * length is out of range.
 */
export function encodeFields(fields: readonly EmvField[]): string {
  let text = '';
  for (const [id, content] of fields) {
    const value = typeof content === 'string' ? content : encodeFields(content);
    const length = charactersIn(value);
    if (!/^\d{2}$/.test(id)) throw new RangeError(`Not an id of two digits: ${id}`);
    if (length < 1 || length > 99) throw new RangeError(`Object ${id} has ${length} characters.`);
    text += `${id}${length < 10 ? '0' : ''}${length}${value}`;
  }
  return text;
}

function isTemplate(id: string): boolean {
  const number = Number(id);
  return (number >= 26 && number <= 51) || number === 62 || number === 64 || number >= 80;
}

/** Reads all objects. Returns null if lengths do not add up or an id repeats. */
function readObjects(text: string, root: boolean): EmvObject[] | null {
  const characters = [...text];
  const objects: EmvObject[] = [];
  const seen = new Set<string>();
  let index = 0;
  while (index < characters.length) {
    const head = characters.slice(index, index + 4).join('');
    const id = head.slice(0, 2);
    const length = Number(head.slice(2));
    const end = index + 4 + length;
    if (!/^\d{4}$/.test(head) || length === 0 || end > characters.length || seen.has(id)) {
      return null;
    }
    seen.add(id);
    const value = characters.slice(index + 4, end).join('');
    const children = root && isTemplate(id) ? readObjects(value, false) : undefined;
    if (children === null) return null;
    objects.push(children === undefined ? { id, value } : { id, value, children });
    index = end;
  }
  return objects;
}

const mandatory = ['52', '53', '58', '59', '60'];

/**
 * Parses a merchant-presented payload strictly (EMV QRCPS MPM 1.1): CRC in either case, format `01`
 * first, CRC last, unique ids on each level, templates 26–51, 62, 64 and 80–99 made of objects.
 */
export function parsePayload(text: string): ParsedPayload {
  const body = text.slice(0, -4);
  if (!body.endsWith('6304') || crc16(body) !== text.slice(-4).toUpperCase()) {
    return { ok: false, fault: 'crc' };
  }
  const objects = readObjects(text, true);
  const format = objects?.[0];
  if (objects === null || format?.id !== '00' || format.value !== '01') {
    return { ok: false, fault: 'structure' };
  }
  if (objects.at(-1)?.id !== '63') return { ok: false, fault: 'structure' };
  const has = (id: string) => objects.some((object) => object.id === id);
  const hasAccount = objects.some(({ id }) => id >= '02' && id <= '51');
  if (!hasAccount || !mandatory.every(has)) return { ok: false, fault: 'missing' };
  return { ok: true, objects };
}

/** Returns the value at a path of ids (`62`, `01`), or null. */
export function valueAt(objects: readonly EmvObject[], ...path: string[]): string | null {
  const [id, ...rest] = path;
  const object = objects.find((candidate) => candidate.id === id);
  if (object === undefined) return null;
  return rest.length === 0 ? object.value : valueAt(object.children ?? [], ...rest);
}

export interface PayloadFacts {
  readonly kind: 'dynamic' | 'static';
  /** Reverse domain of the acceptor, up to 32 characters: `com.example`. */
  readonly acceptorDomain: string;
  /** CUIT of the scheme's administrator. */
  readonly administratorCuit: string;
  /** CUIT of the account holder. */
  readonly holderCuit: string;
  /** Merchant category code, 4 digits (ISO 18245). */
  readonly mcc: string;
  readonly name: string;
  readonly city: string;
  readonly postalCode?: string | undefined;
  /** Id of the QR, 1 to 25 visible ASCII characters. */
  readonly id: string;
  /** Positive, and only for a closed amount. */
  readonly amount?: Centavos | undefined;
}

/** Returns upper-case ASCII of at most `max` characters, or `?` if nothing remains. */
function label(text: string, max: number): string {
  const plain = toAscii(text).toUpperCase().replace(/ +/g, ' ').trim();
  return plain.slice(0, max).trim() || '?';
}

function matching(text: string, pattern: RegExp, what: string): string {
  if (!pattern.test(text)) throw new RangeError(`The ${what} of a QR does not fit.`);
  return text;
}

const cuitPattern = /^\d{11}$/;

/**
 * Builds the payload of an interoperable QR in pesos (Transferencias 3.0). Transliterates and
 * truncates name, city and postal code. Throws RangeError for an id, code or amount that does not
 * fit.
 */
export function buildPayload(facts: PayloadFacts): string {
  const { amount, postalCode } = facts;
  if (amount !== undefined && amount <= 0) throw new RangeError('A QR amount is above zero.');
  const administrator = matching(facts.administratorCuit, cuitPattern, 'administrator');
  const acceptor: EmvField[] = [
    ['00', matching(facts.acceptorDomain, /^[A-Za-z0-9.-]{1,32}$/, 'acceptor')],
    ['98', administrator],
    ['99', '01'],
  ];
  const body = encodeFields([
    ['00', '01'],
    ['01', facts.kind === 'static' ? '11' : '12'],
    ['43', acceptor],
    ['50', [['00', matching(facts.holderCuit, cuitPattern, 'holder')]]],
    ['52', matching(facts.mcc, /^\d{4}$/, 'category')],
    ['53', '032'],
    ...(amount === undefined ? [] : [['54', decimalText(amount)] as const]),
    ['58', 'AR'],
    ['59', label(facts.name, 25)],
    ['60', label(facts.city, 15)],
    ...(postalCode?.trim() ? [['61', label(postalCode, 10)] as const] : []),
    ['62', [['01', matching(facts.id, /^[!-~]{1,25}$/, 'id')]]],
  ]);
  const covered = `${body}6304`;
  return covered + crc16(covered);
}
