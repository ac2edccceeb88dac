import { createHash } from 'node:crypto';
import type { FastifyReply } from 'fastify';

/** Lets the frames of these origins into a page, and nothing else that was not let in before. */
export function allowFrames(reply: FastifyReply, origins: readonly string[]): void {
  const name = 'content-security-policy';
  const policy = reply.getHeader(name);
  if (origins.length === 0 || typeof policy !== 'string') return;
  reply.header(name, `${policy};frame-src ${origins.join(' ')}`);
}

const hashOf = (style: string): string =>
  `'sha256-${createHash('sha256').update(style).digest('base64')}'`;

/** Lets these very style attributes into a page and into the frames whose text it holds. */
export function allowStyles(reply: FastifyReply, styles: readonly string[]): void {
  const name = 'content-security-policy';
  const policy = reply.getHeader(name);
  if (styles.length === 0 || typeof policy !== 'string') return;
  const allowed = ["'unsafe-hashes'", ...new Set(styles.map(hashOf))].join(' ');
  reply.header(
    name,
    policy.replace(/\bstyle-src [^;]*/, (own) => `${own} ${allowed}`),
  );
}
