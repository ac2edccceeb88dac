import type { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import type { Clock } from '../clocks.ts';
import { answerBrokenCall } from './broken-call.ts';

export interface BodyPace {
  /** Milliseconds for the headers, and then for a body of any size. */
  graceMs: number;
  /** Minimum pace of a larger body, in bytes per second. */
  bytesPerSecond: number;
}

export interface BodyWatch {
  begin(raw: IncomingMessage): boolean;
  end(raw: IncomingMessage): void;
  stop(): void;
}

const lookEveryMs = 1_000;

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';

interface Arriving {
  sinceMs: number;
  bytesBefore: number;
}

const late = Object.assign(new Error('a body did not arrive in time'), {
  code: 'ERR_HTTP_REQUEST_TIMEOUT',
});

/** Answers 408 and closes the connection. Only closes it if a response has begun. */
function hangUp(raw: IncomingMessage, answered: boolean): void {
  if (answered) raw.socket.destroy();
  else answerBrokenCall(late, raw.socket);
}

/**
 * Aborts calls with slow bodies. Checks all of them every second, because a timer per call costs
 * more.
 */
export function watchBodies(
  wall: Clock,
  { graceMs, bytesPerSecond }: BodyPace,
  isAnswered: (raw: IncomingMessage) => boolean,
): BodyWatch {
  const arriving = new Map<IncomingMessage, Arriving>();
  const look = (): void => {
    const nowMs = wall.nowMs();
    for (const [raw, { sinceMs, bytesBefore }] of arriving) {
      if (raw.complete || raw.destroyed) {
        arriving.delete(raw);
        continue;
      }
      const bytes = raw.socket.bytesRead - bytesBefore;
      if (nowMs - sinceMs <= graceMs + (bytes / bytesPerSecond) * 1000) continue;
      arriving.delete(raw);
      hangUp(raw, isAnswered(raw));
    }
  };
  const timer = setInterval(look, Math.min(lookEveryMs, graceMs)).unref();

  return {
    begin(raw) {
      // An injected call is complete and has no connection.
      if (!hasBody(raw) || raw.complete || !(raw.socket instanceof Socket)) return false;
      arriving.set(raw, { sinceMs: wall.nowMs(), bytesBefore: raw.socket.bytesRead });
      return true;
    },
    end: (raw) => void arriving.delete(raw),
    stop: () => clearInterval(timer),
  };
}
