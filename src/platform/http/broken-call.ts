import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { refusal } from '../codes.ts';
import { type ErrorAnswer, errorText, refusalAnswer } from './answers.ts';

const codes = {
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
  HPE_HEADER_OVERFLOW: 'headers_too_large',
} as const;

const answerOf = (code = ''): ErrorAnswer =>
  refusalAnswer(refusal(codes[code as keyof typeof codes] ?? 'invalid_http', {}));

/**
 * Answers malformed HTTP or a timed-out call in the usual error format, then closes the connection.
 */
export function answerBrokenCall(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  const answer = answerOf(error.code);
  const body = errorText(answer);
  if (socket.writable) {
    socket.write(
      [
        `HTTP/1.1 ${answer.code} ${STATUS_CODES[answer.code]}`,
        'Content-Type: application/json; charset=utf-8',
        `Content-Length: ${Buffer.byteLength(body)}`,
        `Request-Id: ${randomUUID()}`,
        'Connection: close',
        '',
        body,
      ].join('\r\n'),
    );
  }
  socket.destroy(error);
}
