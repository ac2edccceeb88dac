/** One thing that an act told: what it is, and what it was before. */
export interface ToldChange {
  readonly name: string;
  /** Undefined: the act tells of no state before. */
  readonly before?: string | undefined;
  readonly after: string;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const textOf = (value: unknown): string => {
  if (value === null || value === undefined) return '–';
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) {
    return value.length === 0 ? '–' : value.join(', ');
  }
  return isObject(value) || Array.isArray(value) ? JSON.stringify(value) : String(value);
};

const suffix = '_before';

/**
 * What an event's data tell, with what was before: under `before` by the same names, or as
 * `role_before` beside `role`. What was the same before is left out.
 */
export function changesIn(told: Record<string, unknown>): ToldChange[] {
  const { before, ...data } = told;
  const former = isObject(before) ? before : {};
  const names = [...new Set([...Object.keys(data), ...Object.keys(former)])];
  return names
    .filter((name) => !(name.endsWith(suffix) && name.slice(0, -suffix.length) in data))
    .map((name) => {
      const beside = `${name}${suffix}`;
      const was = name in former ? former[name] : data[beside];
      const known = name in former || beside in data;
      return { name, after: textOf(data[name]), ...(known && { before: textOf(was) }) };
    })
    .filter(({ before: was, after }) => was !== after);
}
