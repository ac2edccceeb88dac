/**
 * Yields the objects of the only list in a JSON text, one at a time, without buffering the text.
 */
export async function* rowsOf<T>(
  chunks: AsyncIterable<Uint8Array>,
  errorOf: (problem: string) => Error,
): AsyncGenerator<T, void, undefined> {
  const splitter = new Splitter();
  const decoder = new TextDecoder();
  for await (const chunk of chunks) {
    for (const row of splitter.take(decoder.decode(chunk, { stream: true }))) {
      yield parsed<T>(row, errorOf);
    }
  }
  if (!splitter.isComplete) throw errorOf('The report ends before its end.');
}

function parsed<T>(row: string, errorOf: (problem: string) => Error): T {
  try {
    return JSON.parse(row);
  } catch {
    throw errorOf('A row of the report is malformed.');
  }
}

/** Nesting depths of the list and of its rows. */
const listDepth = 2;
const rowDepth = 3;

/** Splits a JSON text into the objects of its list. */
class Splitter {
  #depth = 0;
  #inText = false;
  #escaped = false;
  /** The received part of an incomplete row. */
  #row = '';
  #hasList = false;
  isComplete = false;

  *take(text: string): Generator<string> {
    let start = this.#depth >= rowDepth ? 0 : -1;
    for (let at = 0; at < text.length; at += 1) {
      const change = this.#changeAt(text[at] as string);
      if (change === 0) continue;
      this.#depth += change;
      if (this.#depth === listDepth && text[at] === '[') this.#hasList = true;
      if (change > 0 && this.#depth === rowDepth) start = at;
      if (change < 0 && this.#depth === rowDepth - 1 && start >= 0) {
        yield this.#row + text.slice(start, at + 1);
        this.#row = '';
        start = -1;
      }
      if (this.#depth === 0) this.isComplete = this.#hasList;
    }
    if (start >= 0) this.#row += text.slice(start);
  }

  /** Returns the change of nesting depth that a character causes. */
  #changeAt(character: string): -1 | 0 | 1 {
    if (this.#escaped) {
      this.#escaped = false;
    } else if (this.#inText) {
      if (character === '\\') this.#escaped = true;
      else if (character === '"') this.#inText = false;
    } else if (character === '"') this.#inText = true;
    else if (character === '{' || character === '[') return 1;
    else if (character === '}' || character === ']') return -1;
    return 0;
  }
}
