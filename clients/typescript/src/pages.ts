import { readPage } from './calls.ts';
import { RecaudoError } from './errors.ts';
import type { CallOptions } from './options.ts';
import type { Transport } from './transport.ts';

const largestPage = 100;

interface Page<T> {
  data: T[];
}

/** Yields all items of a list, page by page. Leaving the loop early fetches no further page. */
export async function* eachItem<T extends { id: number }>(
  transport: Transport,
  path: string,
  filters: { after?: number | undefined; limit?: number | undefined } = {},
  options?: CallOptions,
): AsyncGenerator<T, void, undefined> {
  const limit = filters.limit ?? largestPage;
  let after = filters.after ?? 0;
  for (;;) {
    const query = { ...filters, limit, after };
    const { data } = await transport.json<Page<T>>(readPage(path, query), options);
    const last = data.at(-1);
    // A cache that ignores `after` would repeat the same page forever.
    if (last && (last.id ?? after) === after)
      throw new RecaudoError(`${path} does not go on after ${after}.`);
    yield* data;
    if (!last || data.length < limit) return;
    after = last.id;
  }
}
