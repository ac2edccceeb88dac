import type { FastifyReply } from 'fastify';
import type { ChannelModel, PayModel } from './views/model.ts';

const waysOf = (channel: ChannelModel) => {
  if ('takers' in channel) return channel.takers.map(({ way }) => way);
  return 'way' in channel ? [channel.way] : [];
};

/** The origins of the frames that a page shows: none, as a rule. */
export const framesOf = ({ channels }: PayModel): string[] => [
  ...new Set(channels.flatMap(waysOf).flatMap((way) => (way.kind === 'frame' ? [way.origin] : []))),
];

/** Lets these origins into the page, and nothing else that was not let in before. */
export function allowFrames(reply: FastifyReply, origins: readonly string[]): void {
  const name = 'content-security-policy';
  const policy = reply.getHeader(name);
  if (origins.length === 0 || typeof policy !== 'string') return;
  reply.header(name, `${policy};frame-src ${origins.join(' ')}`);
}
