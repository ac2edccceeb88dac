import type { CallToolResult } from '@modelcontextprotocol/server';
import {
  ConnectionError,
  DeadlineError,
  RecaudoError,
  RefusedError,
} from '../../../clients/typescript/src/index.ts';

/** Maximum number of characters in an answer: a few thousand tokens of the agent's context. */
export const longestAnswer = 16_000;
const mostFaults = 20;

const masked = ['cbu_number', 'cbu_holder_id_number'];

/**
 * Keeps only the last four digits of bank accounts and holders' id numbers, because agents retain
 * what they read.
 */
const withoutNumbers = (name: string, value: unknown): unknown =>
  masked.includes(name) ? `…${String(value).slice(-4)}` : value;

const jsonOf = (value: object): string => JSON.stringify(value, withoutNumbers);

/**
 * Returns JSON of about `longestAnswer` characters at most. Drops a list's last items and states how
 * many. Cuts any other text, and states its length.
 */
export function boundedJson(value: object): string {
  const whole = jsonOf(value);
  if (whole.length <= longestAnswer) return whole;
  if ('data' in value && Array.isArray(value.data) && value.data.length > 1) {
    const half = value.data.slice(0, value.data.length >> 1);
    const before = 'left_out' in value ? Number(value.left_out) : 0;
    const left_out = before + value.data.length - half.length;
    return boundedJson({ ...value, data: half, left_out });
  }
  return `${whole.slice(0, longestAnswer)}… (cut: ${whole.length} characters)`;
}

function refusalText({ message, fields, error_code, requestId }: RefusedError): string {
  const faults = fields.slice(0, mostFaults).map((fault) => {
    const code = fault.code === undefined ? '' : ` (${fault.code})`;
    return `${fault.path}: ${fault.message}${code}`;
  });
  const rest = fields.length - faults.length;
  return [
    message,
    ...faults,
    ...(rest > 0 ? [`… and ${rest} more faults`] : []),
    `explain_code explains ${error_code}. The service logs this call as ${requestId}.`,
  ].join('\n');
}

function failureText(error: unknown): string {
  if (error instanceof RefusedError) return refusalText(error);
  if (!(error instanceof RecaudoError))
    return error instanceof Error ? error.message : 'It failed.';
  const key = error.call?.idempotencyKey;
  const isUnknown = error instanceof ConnectionError || error instanceof DeadlineError;
  return isUnknown && key !== undefined
    ? `${error.message} The call may have succeeded. Repeat it with idempotency_key "${key}": nothing happens twice.`
    : error.message;
}

/** Runs a tool and returns its answer or failure, bounded and without the key. */
export async function answerOf(key: string, run: () => Promise<object>): Promise<CallToolResult> {
  const textOf = (text: string) => [
    { type: 'text' as const, text: text.replaceAll(key, '…').slice(0, longestAnswer + 100) },
  ];
  try {
    return { content: textOf(boundedJson(await run())) };
  } catch (error) {
    return { content: textOf(failureText(error)), isError: true };
  }
}
