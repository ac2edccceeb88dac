import { createHash } from 'node:crypto';
import type { FastifyReply } from 'fastify';

/** Allows frames of these origins in a page. Its policy must not have allowed any frames before. */
export function allowFrames(reply: FastifyReply, origins: readonly string[]): void {
  const name = 'content-security-policy';
  const policy = reply.getHeader(name);
  if (origins.length === 0 || typeof policy !== 'string') return;
  reply.header(name, `${policy};frame-src ${origins.join(' ')}`);
}

const hashOf = (style: string): string =>
  `'sha256-${createHash('sha256').update(style).digest('base64')}'`;

/** Allows these exact style attributes in a page and its srcdoc frames. */
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
