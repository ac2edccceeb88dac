import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Page, PageRequest } from '../protocol/connector.ts';
import type { Desk } from './desk.ts';
import { regionalBins } from './methods.ts';
import { escapeHtml, htmlPage } from './pages.ts';

const folder = path.join(import.meta.dirname, 'assets');
const asset = (name: string, type: string): [string, Page] => [
  `/assets/${name}`,
  {
    status: 200,
    headers: { 'content-type': `${type}; charset=utf-8`, 'cache-control': 'max-age=300' },
    body: readFileSync(path.join(folder, name)),
  },
];
const assets = new Map([
  asset('frame.js', 'text/javascript'),
  asset('three-ds.js', 'text/javascript'),
  asset('frame.css', 'text/css'),
]);

const words = {
  es: {
    title: 'Datos de la tarjeta',
    number: 'Número de tarjeta',
    holder: 'Nombre como figura en la tarjeta',
    expiry: 'Vencimiento (MM/AA)',
    code: 'Código de seguridad',
    document: 'DNI del titular',
    number_fault: 'Revisá el número de la tarjeta.',
    holder_fault: 'Escribí el nombre como figura en la tarjeta.',
    expiry_fault: 'Revisá el vencimiento: mes y año, como 08/30.',
    code_fault: 'Son los 3 dígitos del dorso (4 en American Express, al frente).',
    document_fault: 'Escribí el DNI o CUIT, solo números.',
    refused: 'No pudimos validar la tarjeta. Revisá los datos.',
    away: 'No pudimos conectarnos con el procesador. Probá de nuevo.',
    script: 'Para pagar con tarjeta hace falta JavaScript.',
  },
  en: {
    title: 'Card details',
    number: 'Card number',
    holder: 'Name as on the card',
    expiry: 'Expiry (MM/YY)',
    code: 'Security code',
    document: "Holder's DNI",
    number_fault: 'Check the card number.',
    holder_fault: 'Enter the name as it is on the card.',
    expiry_fault: 'Check the expiry: month and year, as in 08/30.',
    code_fault: 'The 3 digits on the back (4 on the front of American Express).',
    document_fault: 'Enter the DNI or CUIT, digits only.',
    refused: 'The card could not be validated. Check the details.',
    away: 'The processor could not be reached. Try again.',
    script: 'Paying by card needs JavaScript.',
  },
} as const;

type Words = (typeof words)['es' | 'en'];

interface Field {
  name: 'number' | 'holder' | 'expiry' | 'code' | 'document';
  attributes: string;
}

const fields: readonly Field[] = [
  { name: 'number', attributes: 'inputmode="numeric" autocomplete="cc-number" maxlength="23"' },
  { name: 'holder', attributes: 'autocomplete="cc-name" maxlength="100"' },
  { name: 'expiry', attributes: 'inputmode="numeric" autocomplete="cc-exp" maxlength="7"' },
  { name: 'code', attributes: 'inputmode="numeric" autocomplete="cc-csc" maxlength="4"' },
  { name: 'document', attributes: 'inputmode="numeric" autocomplete="off" maxlength="13"' },
];

/** Tracking images of the fraud control's provider, loaded as its SDK does. */
const deviceImages = 'https://h.online-metrix.net/fp/clear.png';

const fieldHtml = ({ name, attributes }: Field, say: Words): string =>
  `<p class="field ${name}"><label for="${name}">${escapeHtml(say[name])}</label>
<input id="${name}" required ${attributes} aria-describedby="${name}-fault">
<span class="fault" id="${name}-fault" data-text="${escapeHtml(say[`${name}_fault`])}"></span></p>`;

/** The card form: the browser sends the input to the acquirer, and only a token returns. */
function formPage({ config }: Desk, lang: 'es' | 'en', accept: string): Page {
  const say = words[lang];
  const data = {
    opener: config.checkoutOrigins.join(' '),
    url: config.url,
    key: config.publicKey,
    ...(config.authenticates && { accept }),
    ...(config.seesDevices && { device: deviceImages }),
    ...(config.regional.length > 0 && { regional: regionalBins(config.regional).join(' ') }),
    refused: say.refused,
    away: say.away,
  };
  const attributes = Object.entries(data).map(
    ([name, text]) => `data-${name}="${escapeHtml(text)}"`,
  );
  const page = htmlPage({
    title: say.title,
    lang: lang === 'en' ? 'en' : 'es-AR',
    head: '<link rel="stylesheet" href="assets/frame.css">',
    body: `<form novalidate ${attributes.join(' ')}>
${fields.map((field) => fieldHtml(field, say)).join('\n')}
<p class="whole fault" role="alert"></p><noscript><p>${say.script}</p></noscript></form>
<script src="assets/frame.js" type="module"></script>`,
    csp: {
      'connect-src': `'self' ${new URL(config.url).origin}`,
      ...(config.seesDevices && { 'img-src': deviceImages }),
      'frame-ancestors': config.checkoutOrigins.join(' ') || "'none'",
    },
  });
  return { ...page, headers: { ...page.headers, 'referrer-policy': 'no-referrer' } };
}

export function framePage(desk: Desk, { method, path, query, headers }: PageRequest): Page | null {
  if (method !== 'GET') return null;
  if (path === '/frame') {
    const accept = String(headers.accept ?? '*/*').slice(0, 512);
    return formPage(desk, query.get('lang') === 'en' ? 'en' : 'es', accept);
  }
  return assets.get(path) ?? null;
}
