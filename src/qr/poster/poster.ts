import PDFDocument from 'pdfkit';
import { drawLogo, type PrintedLogo } from '../../platform/documents/logo.ts';
import {
  contentWidth,
  margin,
  page,
  rule,
  smallStyle,
} from '../../platform/documents/page-style.ts';
import { leading, printLine, type Style, wrap } from '../../platform/documents/page-text.ts';
import { openPicture } from '../../platform/documents/picture.ts';
import { fillShape } from '../../platform/documents/shape.ts';
import { qrShape } from '../../platform/qr-shape.ts';

/** A static QR to hang at a counter. */
export interface Poster {
  issuer: string;
  /** Such as `CUIT 30-71234567-1`. */
  issuerLine: string;
  logo?: PrintedLogo;
  accent?: string;
  /** The account's name for the QR, such as `Caja 1`. */
  name: string;
  description: string;
  /** The QR's own id, which identifies the paper. */
  id: string;
  payload: string;
  /** When the QR was created, so that a poster's bytes never change. */
  at: string;
}

const issuerStyle: Style = { font: 'Helvetica-Bold', size: 22 };
const headStyle: Style = { font: 'Helvetica-Bold', size: 44 };
const leadStyle: Style = { font: 'Helvetica', size: 18 };
const nameStyle: Style = { font: 'Helvetica-Bold', size: 24 };
/** 13 cm: readable from two meters. */
const qrSide = 368;
const middle = page.width / 2;

function printCentered(
  pdf: PDFKit.PDFDocument,
  text: string,
  top: number,
  style: Style,
  mostLines: number,
): number {
  let y = top;
  for (const line of wrap(pdf, text, contentWidth, style, mostLines)) {
    printLine(pdf, line, middle, y, style, 'middle');
    y += leading(style);
  }
  return y;
}

function draw(pdf: PDFKit.PDFDocument, poster: Poster, logo: Buffer | null): void {
  const picture = logo && openPicture(pdf, logo);
  const printed = drawLogo(pdf, poster.logo, picture);
  const left = margin + printed.width;
  let y = margin;
  for (const line of wrap(pdf, poster.issuer, contentWidth - printed.width, issuerStyle, 2)) {
    printLine(pdf, line, left, y, issuerStyle);
    y += leading(issuerStyle);
  }
  printLine(pdf, poster.issuerLine, left, y, smallStyle);
  y = Math.max(y + leading(smallStyle), printed.bottom) + 10;
  rule(pdf, y, 3, poster.accent);
  y = printCentered(pdf, 'Pagá con QR', y + 30, headStyle, 1);
  y = printCentered(pdf, 'Con la app de tu banco o cualquier billetera', y + 2, leadStyle, 1);
  const shape = qrShape(poster.payload);
  const scale = qrSide / shape.width;
  fillShape(pdf, shape, middle - qrSide / 2, y + 26, scale, scale);
  y = printCentered(pdf, poster.name, y + qrSide + 52, nameStyle, 2);
  printCentered(pdf, poster.description, y, leadStyle, 2);
  printLine(pdf, poster.id, middle, page.height - margin - 8, smallStyle, 'middle');
}

/** Renders a static QR as an A4 poster. Texts that do not fit end in an ellipsis. */
export async function renderPoster(poster: Poster, logo: Buffer | null): Promise<Buffer> {
  const pdf = new PDFDocument({
    size: 'A4',
    margin: 0,
    lang: 'es-AR',
    displayTitle: true,
    info: {
      Title: `QR ${poster.name}`.toWellFormed(),
      Author: poster.issuer.toWellFormed(),
      Creator: 'Recaudo',
      Producer: 'Recaudo',
      // pdfkit accepts only Date.
      CreationDate: new Date(poster.at),
    },
  });
  const chunks: Buffer[] = [];
  const done = new Promise<Buffer>((resolve, reject) => {
    pdf.on('data', (chunk: Buffer) => chunks.push(chunk));
    pdf.on('end', () => resolve(Buffer.concat(chunks)));
    pdf.on('error', reject);
  });
  draw(pdf, poster, logo);
  pdf.end();
  return await done;
}
