import type { FastifyReply } from 'fastify';

/** Lets the frames of these origins into a page, and nothing else that was not let in before. */
export function allowFrames(reply: FastifyReply, origins: readonly string[]): void {
  const name = 'content-security-policy';
  const policy = reply.getHeader(name);
  if (origins.length === 0 || typeof policy !== 'string') return;
  reply.header(name, `${policy};frame-src ${origins.join(' ')}`);
}
