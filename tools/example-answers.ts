import type { Parts } from '../src/composition/parts.ts';
import {
  type Earlier,
  type Example,
  type Examples,
  isEarlier,
} from '../src/platform/http/examples.ts';
import type { App } from '../src/platform/http/server.ts';

/** An example's answer: JSON, or the name of another content type. */
export type Answered = { json: unknown } | { type: string };

const sampleTime = '2026-11-22T09:30:00-03:00';

/** Replaces values that differ between sandboxes or days. */
function settled(name: string, value: unknown): unknown {
  if (name === 'happened') return [{ what: 'release', count: 1 }];
  if (name === 'ms') return 12;
  if (name === 'cbu' || name === 'authorization_code') return value;
  if (typeof value !== 'string') return value;
  if (/secret$|public_key|fingerprint|^key_id$|^pem$/.test(name)) return `${value.slice(0, 6)}…`;
  if (/_at$|_on$/.test(name) && /^\d\d-\d\d-\d{4}$/.test(value)) return '22-11-2026';
  const moment = /^\d{4}-\d\d-\d\dT/.test(value);
  if (moment && !/due_date/.test(name)) return sampleTime;
  return value
    .replace(/\b([0-9A-F]{8})-[0-9a-f]{16}\b/g, '$1-0123456789abcdef')
    .replace(/\b([0-9A-F]{8})-[\w-]{20,}/g, '$1-…');
}

export const settle = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (name, inner) => settled(name, inner));

const at = (value: unknown, pointer: Earlier['pointer']): unknown =>
  pointer.reduce<unknown>(
    (inner, name) => (inner as Record<string | number, unknown> | undefined)?.[name],
    value,
  );

/** Fills an example with values from earlier answers. */
export function filled(value: unknown, answers: ReadonlyMap<string, unknown>): unknown {
  if (!isEarlier(value)) return value;
  const found = at(answers.get(value.call), value.pointer);
  return value.part ? value.part.exec(String(found))?.[0] : found;
}

function requestOf(name: string, example: Example, answers: ReadonlyMap<string, unknown>) {
  const [method = '', path = ''] = name.split(' ');
  const text = (value: unknown) => encodeURIComponent(String(filled(value, answers)));
  const named = path.replace(/\{(\w+)\}/g, (_all, one: string) => text(example.path?.[one]));
  const query = Object.entries(example.query ?? {}).map(([one, value]) => `${one}=${text(value)}`);
  const body = Object.entries(example.body ?? {}).map(([one, value]) => [
    one,
    filled(value, answers),
  ]);
  return {
    method: method as 'GET',
    url: query.length > 0 ? `${named}?${query.join('&')}` : named,
    ...(example.body && { payload: JSON.stringify(Object.fromEntries(body)) }),
  };
}

/** Sends every example once, in order, and returns the answers. Throws if one fails. */
export async function answerExamples(
  app: App,
  { webhooks }: Parts,
  key: string,
  examples: Examples,
): Promise<Map<string, Answered>> {
  const raw = new Map<string, unknown>();
  const answered = new Map<string, Answered>();
  const send = async (name: string, example: Example) => {
    const answer = await app.inject({
      ...requestOf(name, example, raw),
      headers: {
        authorization: `Bearer ${key}`,
        ...(example.body && { 'content-type': 'application/json' }),
      },
    });
    if (answer.statusCode >= 300) throw new Error(`the example of ${name}: ${answer.payload}`);
    return answer;
  };
  for (const [name, example] of Object.entries(examples)) {
    for (const { call, ...prepared } of example.before ?? []) await send(call, prepared);
    const answer = await send(name, example);
    while (await webhooks.publish());
    const type = String(answer.headers['content-type']).split(';')[0] ?? '';
    if (type === 'application/json') raw.set(name, answer.json());
    answered.set(name, type === 'application/json' ? { json: settle(answer.json()) } : { type });
  }
  return answered;
}
