/** An environment variable: its parser, its default, and its documentation. */
export interface Variable<T, F extends string | null = string> {
  doc: string;
  /**
   * True if the fallback is a placeholder, which the sandbox uses and production rejects. If
   * production leaves it unset, the value is null and features that need it are off.
   */
  placeholder?: true;
  /** The default, as it would be written. Null if being unset has a special meaning. */
  fallback: F;
  /**
   * Returns the value, or its fault as the rest of a sentence that begins with the variable's name.
   */
  read(text: string): { value: T } | { fault: string };
}

export const ok = <T>(value: T) => ({ value });
export const fault = (text: string) => ({ fault: text });

/** One of a few words. */
export const words = <W extends string>(
  doc: string,
  fallback: string,
  allowed: readonly W[],
): Variable<W> => ({
  doc,
  fallback,
  read: (text) =>
    allowed.includes(text as W) ? ok(text as W) : fault(`must be one of ${allowed.join(', ')}`),
});

/** A whole number with inclusive bounds. */
export const integer = (
  doc: string,
  fallback: string,
  min: number,
  max: number,
): Variable<number> => ({
  doc,
  fallback,
  read: (text) =>
    /^[0-9]{1,10}$/.test(text) && Number(text) >= min && Number(text) <= max
      ? ok(Number(text))
      : fault(`must be a whole number from ${min} to ${max}`),
});

/** A text that matches a pattern. `wanted` describes it. */
export const shaped = <F extends string | null>(
  doc: string,
  fallback: F,
  shape: RegExp,
  wanted: string,
): Variable<string, F> => ({
  doc,
  fallback,
  read: (text) => (shape.test(text) ? ok(text) : fault(`must be ${wanted}`)),
});

/** An identifier of this deployment at another party. Null if production leaves it unset. */
export const identifier = (
  doc: string,
  placeholder: string,
  shape: RegExp,
  wanted: string,
): Variable<string | null> => ({
  ...shaped<string>(doc, placeholder, shape, wanted),
  placeholder: true,
});

/**
 * An identifier of exactly `length` digits or letters, which a network assigns. Stored in capitals.
 */
export const assigned = (
  doc: string,
  placeholder: string,
  length: number,
): Variable<string | null> => ({
  doc,
  fallback: placeholder,
  placeholder: true,
  read: (text) =>
    text.length === length && /^[0-9A-Za-z]+$/.test(text)
      ? ok(text.toUpperCase())
      : fault(`must be ${length} digits or letters`),
});

export const anyText = (doc: string, fallback: string): Variable<string> =>
  shaped(doc, fallback, /^.+$/s, 'a non-empty text');

/**
 * A URL with one of some schemes, given with their colon (`https:`). Those in `hostless` need no
 * host.
 */
export const urlOf = (
  doc: string,
  schemes: string[],
  { hostless = [] }: { hostless?: string[] } = {},
): Variable<string, null> => ({
  doc,
  fallback: null,
  read(text) {
    const url = URL.parse(text);
    // `URL` also accepts an address without the slashes, but reads its parts differently.
    const scheme = schemes.find((one) => text.trimStart().toLowerCase().startsWith(`${one}//`));
    if (url === null || scheme === undefined) {
      const begins = schemes.map((one) => `${one}//`).join(' or ');
      return fault(`must be an address that begins with ${begins}`);
    }
    return url.hostname !== '' || hostless.includes(scheme)
      ? ok(text)
      : fault('must be an address with a host');
  },
});

/** A URL without credentials, query and fragment, which clients would refuse or drop. */
export const bareUrl = (doc: string, schemes: string[]): Variable<string, null> => {
  const plain = urlOf(doc, schemes);
  return {
    ...plain,
    read(text) {
      const read = plain.read(text);
      if ('fault' in read) return read;
      const { username, password, search, hash } = new URL(text);
      if (username !== '' || password !== '')
        return fault('must not contain a user name or password');
      return search === '' && hash === '' ? read : fault('must not contain a query or fragment');
    },
  };
};

export const flag = (doc: string, fallback: string): Variable<boolean> => ({
  doc,
  fallback,
  read: (text) =>
    text === 'true' || text === 'false' ? ok(text === 'true') : fault('must be true or false'),
});
