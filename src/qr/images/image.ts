import { hash } from 'node:crypto';
import { qrModules, qrShape } from '../../platform/qr-shape.ts';
import { pixelsOfModule, qrPng } from './png.ts';

export type ImageFormat = 'png' | 'svg';

/** Width of the quiet zone, in modules (ISO/IEC 18004). */
const margin = 4;

const drawSvg = (payload: string): string => {
  const { width, path } = qrShape(payload);
  const side = width + 2 * margin;
  const pixels = side * pixelsOfModule;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}"`,
    ` width="${pixels}" height="${pixels}" shape-rendering="crispEdges">`,
    `<rect width="${side}" height="${side}" fill="#fff"/>`,
    `<path transform="translate(${margin} ${margin})" d="${path}"/></svg>`,
  ].join('');
};

/**
 * Draws a payload as a picture: black on white, without fonts, styles or scripts. A version 10 code
 * is 520 pixels wide, 4.4 cm at 300 dpi.
 */
export const drawQr = {
  png: (payload: string): Buffer => qrPng(qrModules(payload), margin),
  svg: drawSvg,
} satisfies Record<ImageFormat, (payload: string) => Buffer | string>;

/** Version of the drawing code in the ETag. Raise it to bypass caches. */
const generation = '1';

/** Identifies a picture by content, so that an edited QR gets another ETag. */
export const imageEtag = (payload: string, format: ImageFormat): string =>
  `"${hash('sha256', `${generation} ${format} ${payload}`, 'base64url').slice(0, 22)}"`;
