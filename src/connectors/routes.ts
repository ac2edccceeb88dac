import { isUtf8 } from 'node:buffer';
import type { Clock } from '../platform/clocks.ts';
import { addressOf, networkOf } from '../platform/http/callers.ts';
import { createRateLimiter } from '../platform/http/rate-limit.ts';
import type { App } from '../platform/http/server.ts';
import type { RateExchange } from '../platform/processes/rates.ts';
import { noticeIn } from './check.ts';
import { refusal, tooMany } from './codes.ts';
import type { NoticeParts } from './facts.ts';
import { maskMessage } from './mask.ts';
import { heedNotice } from './notices.ts';
import type { ConnectorSettings } from './settings.ts';
import { createVerifiers } from './verify.ts';

const bodyLimit = 64 * 1024;
/** Rate limits per network address, before the caller is identified. */
const perSecond = 200;
const burst = 2_000;

/**
 * Returns true for messages that a later release may read. Excludes those whose caller waits for an
 * answer.
 */
const isLetter = (message: unknown): message is object =>
  typeof message === 'object' &&
  message !== null &&
  'type' in message &&
  message.type !== 'qr.intention';

/**
 * Adds the endpoints for notices of connectors. They are signed, each call is processed once, and
 * each fact is booked once.
 */
export function noticeRoutes(
  app: App,
  settings: readonly ConnectorSettings[],
  { wall, exchange, ...parts }: NoticeParts & { wall: Clock; exchange: RateExchange },
): void {
  const verifiers = createVerifiers(settings, parts.sql, wall);
  const limit = createRateLimiter({ perSecond, burst }, wall, { name: 'notices', exchange });

  app.post<{ Params: { name: string } }>(
    '/connectors/:name/notices',
    {
      bodyLimit,
      config: { keepsBytes: true },
      schema: { hide: true },
      onRequest: (request, _reply, done) => {
        const { allowed, resetSeconds } = limit(networkOf(addressOf(request)));
        if (allowed) return done();
        throw tooMany('notice.too_many', {}, resetSeconds);
      },
    },
    async ({ params: { name }, headers, rawBody }, reply) => {
      const verify = verifiers.get(name);
      if (!verify) throw refusal('notice.connector_not_found', {});
      const bytes = rawBody ?? Buffer.alloc(0);
      const body = isUtf8(bytes) ? bytes.toString('utf8') : '';
      const path = `/connectors/${name}/notices`;
      const verdict = await verify(headers, { method: 'POST', path, body });
      if ('fault' in verdict) throw refusal('notice.not_accepted', { why: verdict.fault });
      const { message, found } = maskMessage(verdict.message);
      if (found) {
        const text =
          'a notice held a card number, which was masked: it must never leave the acquirer';
        parts.alarm(name, 'protocol', text);
      }
      const notice = noticeIn(message);
      if (!notice) {
        if (!isLetter(message)) throw refusal('notice.malformed', {});
        await parts.keepLetter(name, message);
        return await reply.send({});
      }
      return await reply.send(await heedNotice(parts, name, notice));
    },
  );
}
