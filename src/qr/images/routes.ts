import type { FastifyReply, FastifyRequest } from 'fastify';
import type { DrawingCache } from '../../platform/drawing/cache.ts';
import { addressOf, networkOf } from '../../platform/http/callers.ts';
import { fileAnswers } from '../../platform/http/named-answers.ts';
import type { App } from '../../platform/http/server.ts';
import type { Links } from '../../platform/links.ts';
import { refusal } from '../codes.ts';
import { drawQrApart } from './apart.ts';
import { type ImageFormat, imageEtag } from './image.ts';
import type { ReadPayload } from './read.ts';

const types: Record<ImageFormat, string> = {
  png: 'image/png',
  svg: 'image/svg+xml; charset=utf-8',
};

const fileParams = {
  type: 'object',
  required: ['file'],
  properties: {
    file: { type: 'string', description: 'Token and extension, as in image_url and image_svg_url' },
  },
};

/** Serves a QR's image by public link. An edit redraws it. */
export function imageRoutes(
  app: App,
  { links, readPayload, drawn }: { links: Links; readPayload: ReadPayload; drawn: DrawingCache },
): void {
  const send = async (request: FastifyRequest, reply: FastifyReply) => {
    const { file } = request.params as { file: string };
    const [, token = '', format] = /^(.+)\.(png|svg)$/.exec(file) ?? [];
    const key = links.keyOf(token);
    const payload = key && (await readPayload(key));
    if (!payload || (format !== 'png' && format !== 'svg')) throw refusal('qr.image_not_found', {});
    const etag = imageEtag(payload, format);
    reply.header('etag', etag).header('cache-control', 'private, max-age=60');
    if (request.headers['if-none-match'] === etag) return reply.code(304).send();
    const drawing = await drawn.get(`qr/${format}`, payload, () =>
      drawQrApart(
        { account: key.accountId, network: networkOf(addressOf(request)) },
        format,
        payload,
      ),
    );
    return reply.type(types[format]).send(drawing);
  };
  const schema = {
    operationId: 'getQrImage',
    tags: ['QR images'],
    summary: 'The picture of a QR, .png or .svg',
    security: [],
    params: fileParams,
    response: fileAnswers(['image/png', 'image/svg+xml'], { errorSchema: 'QrError' }),
  };
  app.get('/qr-image/:file', { schema }, send);
}
