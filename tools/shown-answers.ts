import { apiExamples } from '../src/api-examples.ts';
import { refusal } from '../src/platform/codes.ts';
import { errorAnswer, errorText } from '../src/platform/http/answers.ts';
import type { AnsweredExamples } from '../src/platform/http/openapi.ts';
import type { App } from '../src/platform/http/server.ts';
import { qrErrorAnswer } from '../src/qr/errors/answers.ts';
import { type Answered, settle } from './example-answers.ts';

/** Refused calls, by error format and status. */
const refused: Record<
  string,
  Record<number, { method: 'GET' | 'POST'; url: string; body?: object }>
> = {
  ApiError: {
    400: {
      method: 'POST',
      url: '/payment-request',
      body: {
        payment_request: {
          description: 'Cuota de diciembre',
          first_due_date: '10-12-2031',
          first_total: 0,
          payer_name: 'Ana Pérez',
          items: [{ description: 'Cuota' }],
        },
      },
    },
    404: { method: 'GET', url: '/payment-request/987654321' },
  },
  QrError: {
    400: {
      method: 'POST',
      url: '/save-qr-data',
      body: { total_count: 1, data: [{ id: 'CUOTA-0020', city: 'Rosario' }] },
    },
    404: { method: 'GET', url: '/status/CUOTA-9999' },
  },
};

/** Refusals of any call. */
const anywhere = {
  403: refusal('permission_missing', { permission: 'refunds:write' }),
  409: refusal('idempotency_key_in_use', {}),
  413: refusal('body_too_large', { limit: 1_048_576 }),
  415: refusal('unsupported_media_type', {}),
  422: refusal('idempotency_key_reused', {}),
  429: refusal('too_many_calls', { seconds: 7 }),
  500: refusal('internal_error', {}),
  503: refusal('database_unreachable', {}),
};

const rendered: Record<string, (error: unknown) => string> = {
  ApiError: (error) => errorText(errorAnswer(error).answer),
  QrError: (error) => errorText(qrErrorAnswer(error).answer),
};

async function errorsOf(app: App, shape: string, key: string): Promise<Record<string, object>> {
  const render = rendered[shape] ?? String;
  const errors: Record<string, object> = Object.fromEntries(
    Object.entries(anywhere).map(([status, one]) => [status, JSON.parse(render(one))]),
  );
  for (const [status, { method, url, body }] of Object.entries(refused[shape] ?? {})) {
    const options = { method, url, ...(body && { payload: body }) };
    const answer = await app.inject({ ...options, headers: { authorization: `Bearer ${key}` } });
    if (String(answer.statusCode) !== status) throw new Error(`${url}: ${answer.payload}`);
    errors[status] = answer.json();
    errors[401] ??= (await app.inject(options)).json();
  }
  return errors;
}

/** Returns the answers and errors shown in the OpenAPI document, in each of their content types. */
export async function answersShown(
  app: App,
  key: string,
  answers: ReadonlyMap<string, Answered>,
): Promise<AnsweredExamples> {
  const json = [...answers].flatMap(([name, one]) => ('json' in one ? [[name, one.json]] : []));
  const csv: Record<string, string> = {};
  for (const [name, { path }] of Object.entries(apiExamples)) {
    if (!name.startsWith('GET /report/')) continue;
    const url = name.slice('GET '.length).replace('{date}', String(path?.date));
    const headers = { authorization: `Bearer ${key}`, accept: 'text/csv' };
    csv[name] = String(settle((await app.inject({ url, headers })).payload));
  }
  const errors: Record<string, Record<string, object>> = {};
  for (const shape of Object.keys(refused)) errors[shape] = await errorsOf(app, shape, key);
  return { json: Object.fromEntries(json), csv, errors };
}
