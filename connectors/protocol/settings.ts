// The JSON Schema of an account's settings: a small subset, because it comes from a third party. It
// allows no references and no patterns, so validation time is bounded.

type Json = Record<string, unknown>;

/** Keywords by type. */
const keywords: Readonly<Record<string, readonly string[]>> = {
  object: ['properties', 'required', 'additionalProperties'],
  array: ['items', 'minItems', 'maxItems'],
  string: ['enum', 'minLength', 'maxLength'],
  integer: ['minimum', 'maximum'],
  number: ['minimum', 'maximum'],
  boolean: [],
};
const common = ['type', 'title', 'description'];
const deepest = 5;
const mostBytes = 16_384;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isText = (value: unknown): value is string => typeof value === 'string';
const isTexts = (value: unknown): value is string[] => Array.isArray(value) && value.every(isText);

const rules: Readonly<Record<string, (value: unknown) => boolean>> = {
  title: isText,
  description: isText,
  properties: isObject,
  required: isTexts,
  enum: isTexts,
  additionalProperties: (value) => typeof value === 'boolean',
  items: isObject,
};
const isRight = (keyword: string, value: unknown): boolean =>
  (rules[keyword] ?? ((one) => typeof one === 'number' && Number.isFinite(one)))(value);

function nodeFault(schema: unknown, place: string, depth: number): string | null {
  if (!isObject(schema)) return `${place} must be an object`;
  if (depth > deepest) return `${place} is more than ${deepest} levels deep`;
  const { type } = schema;
  const own = isText(type) && Object.hasOwn(keywords, type) ? keywords[type] : undefined;
  if (!own) return `the type of ${place} must be one of ${Object.keys(keywords).join(', ')}`;
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword === 'type') continue;
    if (![...common, ...own].includes(keyword))
      return `${place} has ${keyword}, which is not allowed`;
    if (!isRight(keyword, value)) return `${keyword} of ${place} is not right`;
  }
  const inner = isObject(schema.properties) ? Object.entries(schema.properties) : [];
  const items = schema.items === undefined ? [] : [['[]', schema.items] as const];
  for (const [name, one] of [...inner, ...items]) {
    const fault = nodeFault(one, `${place}.${name}`, depth + 1);
    if (fault !== null) return fault;
  }
  return null;
}

/** Returns a settings schema's fault as a sentence without its full stop, or null. */
export function schemaFault(schema: unknown): string | null {
  if (Buffer.byteLength(JSON.stringify(schema)) > mostBytes) {
    return `the schema of settings has more than ${mostBytes} bytes`;
  }
  const fault = nodeFault(schema, 'settings', 1);
  if (fault !== null) return fault;
  return isObject(schema) && schema.type === 'object' ? null : 'settings must be of type object';
}

/** A member of settings that its schema does not allow. */
export interface SettingFault {
  /** Such as `bill_to.city` or `shops[2]`; empty for the settings as a whole. */
  path: string;
  rule: string;
  /** The violated rule: a bound, a type, or the allowed words. */
  bound: string;
}

type Found = SettingFault[];

const typeOf = (value: unknown): string =>
  Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value;

const fits = (type: unknown, value: unknown): boolean =>
  type === 'integer' ? Number.isInteger(value) : typeOf(value) === type;

/** Measures a value's sizes, by the keyword that bounds each. */
function sizesOf(value: unknown): Readonly<Record<string, number>> {
  if (isText(value)) return { minLength: [...value].length, maxLength: [...value].length };
  if (Array.isArray(value)) return { minItems: value.length, maxItems: value.length };
  return typeof value === 'number' ? { minimum: value, maximum: value } : {};
}

function check(schema: Json, value: unknown, path: string, found: Found): void {
  const { type } = schema;
  if (!fits(type, value)) {
    found.push({ path, rule: 'type', bound: String(type) });
    return;
  }
  for (const [rule, size] of Object.entries(sizesOf(value))) {
    const bound = schema[rule];
    if (typeof bound !== 'number') continue;
    if (rule.startsWith('min') ? size < bound : size > bound) {
      found.push({ path, rule, bound: String(bound) });
    }
  }
  if (isTexts(schema.enum) && !schema.enum.some((one) => one === value)) {
    found.push({ path, rule: 'enum', bound: schema.enum.join(', ') });
  }
  if (Array.isArray(value) && isObject(schema.items)) {
    for (const [at, one] of value.entries()) check(schema.items, one, `${path}[${at}]`, found);
  }
  if (isObject(value)) checkMembers(schema, value, path, found);
}

function checkMembers(schema: Json, value: Json, path: string, found: Found): void {
  const properties = isObject(schema.properties) ? schema.properties : {};
  const inside = (name: string): string => (path === '' ? name : `${path}.${name}`);
  for (const name of isTexts(schema.required) ? schema.required : []) {
    if (!Object.hasOwn(value, name))
      found.push({ path: inside(name), rule: 'required', bound: '' });
  }
  for (const [name, one] of Object.entries(value)) {
    const own = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (isObject(own)) check(own, one, inside(name), found);
    else if (schema.additionalProperties === false) {
      const bound = Object.keys(properties).join(', ');
      found.push({ path: inside(name), rule: 'additionalProperties', bound });
    }
  }
}

const mostFaults = 5;

/** Returns the first violations of a settings schema. Never names a value. */
export function settingFaults(schema: Json, settings: Json): SettingFault[] {
  const found: Found = [];
  check(schema, settings, '', found);
  return found.slice(0, mostFaults);
}

/**
 * Returns an account's violations of the manifest's settings schema. Without settings, the
 * connector's own apply.
 */
export const faultsOfSettings = (
  manifest: { settings?: Json } | null,
  settings: Json,
): SettingFault[] =>
  manifest?.settings === undefined || Object.keys(settings).length === 0
    ? []
    : settingFaults(manifest.settings, settings);

/** Formats a fault as a sentence without its full stop. */
export function settingText({ path, rule, bound }: SettingFault): string {
  const member = path === '' ? 'the settings' : path;
  const texts: Readonly<Record<string, string>> = {
    type: `must be of type ${bound}`,
    minLength: `must have at least ${bound} characters`,
    maxLength: `must have at most ${bound} characters`,
    minItems: `must have at least ${bound} items`,
    maxItems: `must have at most ${bound} items`,
    minimum: `must be at least ${bound}`,
    maximum: `must be at most ${bound}`,
    enum: `must be one of ${bound}`,
    required: 'is missing',
    additionalProperties: `is not a known setting; allowed: ${bound}`,
  };
  return `${member} ${texts[rule]}`;
}
