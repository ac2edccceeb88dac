/** Remembers what was made of the texts that were asked for last, at most `most` of them. */
export function remembered<T>(most: number, make: (text: string) => T): (text: string) => T {
  const made = new Map<string, T>();
  return (text) => {
    const value = made.get(text) ?? make(text);
    // Put again at the end: the first of a Map is the one that was not asked for the longest.
    made.delete(text);
    made.set(text, value);
    const [oldest] = made.keys();
    if (made.size > most && oldest !== undefined) made.delete(oldest);
    return value;
  };
}
