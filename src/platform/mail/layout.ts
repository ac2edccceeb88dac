import { markupText } from '../../kernel/markup.ts';

/** The sender of an email, which the service sends from its own address. */
export interface EmailHead {
  sender: string;
  /** Null if replies are not read. */
  replyTo: string | null;
  /** Lines below the text. */
  foot: readonly string[];
  /** The sender's color on white. Null for ours. */
  accent: string | null;
  logo: EmailLogo | null;
}

/** A logo in a format that mail clients display, and its size in pixels. */
export interface EmailLogo {
  contentType: 'image/png' | 'image/jpeg';
  content: Buffer;
  width: number;
  height: number;
}

/** Content id of the attached logo. */
export const logoId = 'logo@letter';

const standardAccent = '#0b6b5d';
const largestLogo = { width: 240, height: 64 };

// Mail clients support few CSS rules, and only as style attributes.
const stylesOf = (accent: string) => ({
  ground: 'margin:0;padding:24px 12px;background:#f3f6f7',
  paper:
    'max-width:560px;margin:0 auto;padding:24px;background:#fff;color:#14212b;' +
    'border-radius:8px;font:16px/1.5 system-ui,-apple-system,Segoe UI,Roboto,sans-serif;' +
    `overflow-wrap:anywhere;border-top:4px solid ${accent}`,
  head: 'margin:0 0 24px;font-size:18px;font-weight:700',
  part: 'margin:0 0 16px',
  link: `color:${accent};font-weight:600`,
  button:
    `display:inline-block;padding:12px 24px;background:${accent};color:#fff;` +
    'border-radius:8px;font-weight:700;text-decoration:none',
  small: 'margin:0;font-size:13px;color:#4b5b67',
  foot: 'margin:24px 0 0;padding-top:16px;border-top:1px solid #d3dbe0;font-size:14px;color:#4b5b67',
});

const accentOf = ({ accent }: EmailHead): string => accent ?? standardAccent;

/** Returns all style attributes of an email, for the CSP of pages that show one. */
export const emailStyles = (head: EmailHead): string[] => Object.values(stylesOf(accentOf(head)));

/** Matches addresses of the service. */
const ownAddresses = (origin: string): RegExp =>
  new RegExp(`(${RegExp.escape(origin)}/[\\w./?=&%-]*[\\w-])`);

/** Turns addresses of the service in a text into links. Others stay text. */
function linked(text: string, { origin, opens = true }: PageTerms, style: string): string {
  return text
    .split(ownAddresses(origin))
    .map((piece, index) => {
      const markup = markupText(piece);
      const isLink = index % 2 === 1;
      if (!isLink) return markup;
      return opens
        ? `<a href="${markup}" style="${style}">${markup}</a>`
        : `<u style="${style}">${markup}</u>`;
    })
    .join('')
    .replaceAll('\n', '<br>\n');
}

const longestLabel = 40;
/** Precedes a text in another language, or the lines about unsubscribing. */
const divider = '—\n';

/**
 * Renders a paragraph as a button: a short label with a colon, and an address of the service below
 * it. Returns null for any other paragraph.
 */
function buttonIn(part: string, { origin, opens = true }: PageTerms, style: string): string | null {
  const [label = '', address = '', ...more] = part.split('\n');
  const isShort = label.endsWith(':') && label.length <= longestLabel;
  const isOwn = ownAddresses(origin).exec(address)?.[0] === address && address !== '';
  if (more.length > 0 || !isShort || !isOwn) return null;
  const shown = markupText(label.slice(0, -1));
  return opens
    ? `<a href="${markupText(address)}" style="${style}">${shown}</a>`
    : `<span style="${style}">${shown}</span>`;
}

/**
 * Renders paragraphs. The first address of each text becomes a button, and the lines about
 * unsubscribing are small.
 */
function paragraphs(body: string, terms: PageTerms, styles: ReturnType<typeof stylesOf>): string[] {
  let hasButton = false;
  return body
    .trim()
    .split(/\n{2,}/)
    .map((part, index, { length }) => {
      const divides = part.startsWith(divider);
      if (divides) hasButton = false;
      const button = hasButton ? null : buttonIn(part, terms, styles.button);
      if (button !== null) hasButton = true;
      const style = divides && index === length - 1 ? styles.small : styles.part;
      return `<p style="${style}">${button ?? linked(part, terms, styles.link)}</p>`;
    });
}

function headLine({ sender, logo }: EmailHead, logoAddress: string): string {
  if (logo === null) return markupText(sender);
  const { width, height } = logo;
  const share = Math.min(1, largestLogo.width / width, largestLogo.height / height);
  const [wide, high] = [width, height].map((side) => Math.max(1, Math.round(side * share)));
  return `<img src="${logoAddress}" alt="${markupText(sender)}" width="${wide}" height="${high}">`;
}

interface PageTerms {
  /** Origin of the service. Only addresses below it become links. */
  origin: string;
  /** Address of the logo. Default: the attachment. */
  logoAddress?: string;
  opens?: boolean;
}

/** Renders an email as HTML, with its sender's logo and color. */
export function emailPage(body: string, head: EmailHead, terms: PageTerms): string {
  const styles = stylesOf(accentOf(head));
  const { logoAddress = `cid:${logoId}` } = terms;
  const parts = paragraphs(body, terms, styles);
  const foot = [head.sender, ...head.foot].map(markupText).join('<br>\n');
  return `<!doctype html>
<html>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light only">
</head>
<body style="${styles.ground}">
<div style="${styles.paper}" dir="auto">
<p style="${styles.head}">${headLine(head, logoAddress)}</p>
${parts.join('\n')}
<p style="${styles.foot}">${foot}</p>
</div>
</body>
</html>
`;
}

/** Renders an email as a page: inline logo, links as plain text. */
export function emailSample(body: string, head: EmailHead, origin: string): string {
  const { logo } = head;
  const logoAddress =
    logo === null ? '' : `data:${logo.contentType};base64,${logo.content.toString('base64')}`;
  return emailPage(body, head, { origin, logoAddress, opens: false });
}
