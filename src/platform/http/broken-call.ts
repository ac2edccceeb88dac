import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { type ErrorAnswer, errorText } from './answers.ts';

const answerOf = (code: string | undefined): ErrorAnswer => {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return { code: 408, message: 'The call did not arrive in time. Please repeat it.' };
  }
  if (code === 'HPE_HEADER_OVERFLOW') {
    return { code: 431, message: 'The headers of this call are too large.' };
  }
  return { code: 400, message: 'This is not a valid HTTP call.' };
};

/** Answers what could not be read as HTTP, in the shape of every other error, and hangs up. */
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
