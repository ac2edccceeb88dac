import { currentErrand } from '../../platform/postgres/deadlines.ts';

/** Maximum number of bytes read per response. Documents with keys are a few kilobytes long. */
const mostAnswerBytes = 256 * 1024;

async function bodyOf(answer: Response): Promise<Blob> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  for await (const chunk of answer.body ?? []) {
    bytes += chunk.length;
    if (bytes > mostAnswerBytes) throw new Error('the answer is too long');
    chunks.push(chunk);
  }
  return new Blob(chunks);
}

/** A call as `oauth4webapi` makes it. */
interface Call {
  method: string;
  headers: Record<string, string>;
  body?: URLSearchParams | null | undefined;
  redirect: 'manual';
  signal?: AbortSignal;
}

/** Makes one call within its deadline, without redirects and with a bounded answer. */
export async function fetchBounded(url: string, { body = null, ...call }: Call): Promise<Response> {
  const span = currentErrand().trace.span?.child(`${call.method} sign-in provider`, 'client', {
    'server.address': new URL(url).hostname,
  });
  try {
    const answer = await fetch(url, { ...call, body });
    const { status, headers } = answer;
    const read = await bodyOf(answer);
    span?.end({
      failed: status >= 500,
      attributes: { 'http.response.status_code': status },
    });
    return new Response(read.size === 0 ? null : read, { status, headers });
  } catch (error) {
    span?.end({ failed: true });
    throw error;
  }
}
