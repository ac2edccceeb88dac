import { randomBytes } from 'node:crypto';

/** Numbers of span kinds in OTLP. */
const kinds = { internal: 1, server: 2, client: 3 } as const;
type Kind = keyof typeof kinds;
type Attributes = Readonly<Record<string, string | number>>;

export interface Span {
  /** The header of calls that belong to it (W3C Trace Context). */
  readonly traceparent: string;
  child(name: string, kind: Kind, attributes?: Attributes): Span;
  end(outcome?: { failed?: boolean; name?: string; attributes?: Attributes }): void;
}

/** Runs work, and ends `span` with it if there is one. */
export function traced<T>(span: Span | undefined, run: () => Promise<T>): Promise<T> {
  const running = run();
  if (span) {
    running.then(
      () => span.end(),
      () => span.end({ failed: true }),
    );
  }
  return running;
}

/** Starts traces and exports their spans. */
export interface Tracer {
  /** Continues the trace of a call, or starts one if its header has none. */
  begin(name: string, kind: Kind, traceparent?: string): Span;
  /** Exports waiting spans. Takes at most the time of two exports. */
  close(): Promise<void>;
}

export interface TracerParts {
  /** Address of an OTLP receiver, without `/v1/traces`. */
  endpoint: string;
  /** Sampling ratio of traces that begin here, from 0 to 1. */
  ratio: number;
  version: string;
  /** Wall-clock time, in milliseconds. */
  nowMs: () => number;
  /** Counts spans that no receiver accepted. */
  drop: (spans: number) => void;
}

interface Context {
  traceId: string;
  spanId: string;
  sampled: boolean;
}

const header = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;
const future = /^(?!ff|00)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/;

/** Returns the context that a `traceparent` names, or null if it is malformed. */
export function contextOf(text: string | undefined): Context | null {
  const [, traceId = '', spanId = '', flags = ''] =
    header.exec(text ?? '') ?? future.exec(text ?? '') ?? [];
  if (/^0*$/.test(traceId) || /^0*$/.test(spanId)) return null;
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

const idOf = (bytes: number): string => randomBytes(bytes).toString('hex');

/**
 * Returns true for a share of all traces. Depends on the id alone, so that all processes decide the
 * same.
 */
const isChosen = (traceId: string, ratio: number): boolean =>
  Number.parseInt(traceId.slice(-8), 16) < ratio * 2 ** 32;

const anyValue = (value: string | number) =>
  typeof value === 'number' ? { intValue: String(value) } : { stringValue: value };
const attributesOf = (attributes: Attributes) =>
  Object.entries(attributes).map(([key, value]) => ({ key, value: anyValue(value) }));

const nanosOf = (ms: number): string => String(BigInt(Math.round(ms * 1000)) * 1000n);

const mostWaiting = 2_048;
const mostAtOnce = 512;
const exportEveryMs = 1_000;
const exportWithinMs = 5_000;

/** Posts spans to an OTLP receiver. Returns the status of its answer; throws if there is none. */
export async function exportSpans(
  endpoint: string,
  body: { resourceSpans: object[] },
): Promise<number> {
  const answer = await fetch(`${endpoint.replace(/\/$/, '')}/v1/traces`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    redirect: 'error',
    signal: AbortSignal.timeout(exportWithinMs),
  });
  await answer.body?.cancel();
  return answer.status;
}

/** Sends spans in the background, one request at a time and without retries. Callers never wait. */
function createExporter({ endpoint, version, drop }: TracerParts) {
  const waiting: object[] = [];
  let sending: Promise<void> | null = null;
  let timer: NodeJS.Timeout | null = null;
  let closed = false;
  const resource = {
    attributes: attributesOf({ 'service.name': 'recaudo', 'service.version': version }),
  };

  const send = async (): Promise<void> => {
    const spans = waiting.splice(0, mostAtOnce);
    const scopeSpans = [{ scope: { name: 'recaudo' }, spans }];
    try {
      const status = await exportSpans(endpoint, { resourceSpans: [{ resource, scopeSpans }] });
      if (status < 200 || status >= 300) drop(spans.length);
    } catch {
      drop(spans.length);
    }
  };

  const flush = (): void => {
    timer = null;
    if (sending !== null || waiting.length === 0) return;
    sending = send().finally(() => {
      sending = null;
      plan();
    });
  };

  const plan = (): void => {
    if (closed) return;
    if (waiting.length >= mostAtOnce) flush();
    else if (waiting.length > 0) timer ??= setTimeout(flush, exportEveryMs).unref();
  };

  return {
    add(span: object): void {
      if (closed || waiting.length >= mostWaiting) {
        drop(1);
        return;
      }
      waiting.push(span);
      plan();
    },
    async close(): Promise<void> {
      closed = true;
      if (timer) clearTimeout(timer);
      await sending;
      if (waiting.length > 0) await send();
      drop(waiting.splice(0).length);
    },
  };
}

export function createTracer(parts: TracerParts): Tracer {
  const { ratio, nowMs } = parts;
  const exporter = createExporter(parts);

  const start = (
    { traceId, sampled }: Omit<Context, 'spanId'>,
    parent: string | null,
    first: { name: string; kind: Kind; attributes?: Attributes },
  ): Span => {
    const spanId = idOf(8);
    const begunMs = nowMs();
    const begun = performance.now();
    let ended = false;
    return {
      traceparent: `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`,
      child: (name, kind, attributes = {}) =>
        start({ traceId, sampled }, spanId, { name, kind, attributes }),
      end({ failed = false, name = first.name, attributes = {} } = {}) {
        if (!sampled || ended) return;
        ended = true;
        exporter.add({
          ...{ traceId, spanId, name, kind: kinds[first.kind] },
          ...(parent !== null && { parentSpanId: parent }),
          startTimeUnixNano: nanosOf(begunMs),
          endTimeUnixNano: nanosOf(begunMs + performance.now() - begun),
          attributes: attributesOf({ ...first.attributes, ...attributes }),
          status: failed ? { code: 2 } : {},
        });
      },
    };
  };

  return {
    begin(name, kind, traceparent) {
      const known = contextOf(traceparent);
      if (known) return start(known, known.spanId, { name, kind });
      const traceId = idOf(16);
      return start({ traceId, sampled: isChosen(traceId, ratio) }, null, { name, kind });
    },
    close: () => exporter.close(),
  };
}
