import type { ChannelModel, PayModel } from './views/model.ts';

const waysOf = (channel: ChannelModel) => {
  if ('takers' in channel) return channel.takers.map(({ way }) => way);
  return 'way' in channel ? [channel.way] : [];
};

/** Returns the origins of the frames on a page, usually none. */
export const framesOf = ({ channels }: PayModel): string[] => [
  ...new Set(channels.flatMap(waysOf).flatMap((way) => (way.kind === 'frame' ? [way.origin] : []))),
];
