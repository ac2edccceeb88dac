/** One field of an event, with its value and the previous one. */
export interface AuthoredChange {
  readonly name: string;
  /** Undefined if the event has no previous value. */
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
 * Lists an event's fields with their previous values, which are under `before` by the same names,
 * or next to them with the suffix `_before`. Omits unchanged fields.
 */
export function changesIn(eventData: Record<string, unknown>): AuthoredChange[] {
  const { before, ...data } = eventData;
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
