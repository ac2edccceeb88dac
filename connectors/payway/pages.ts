import type { Page } from '../protocol/connector.ts';

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (one) => entities[one] ?? one);

export const jsonPage = (status: number, value: object): Page => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8' },
  body: JSON.stringify(value),
});

/** Builds a page that loads only what its policy allows. */
export function htmlPage({
  title,
  lang,
  head,
  body,
  csp,
}: {
  title: string;
  lang: string;
  head: string;
  body: string;
  csp: Readonly<Record<string, string>>;
}): Page {
  const policy = {
    'default-src': "'none'",
    'script-src': "'self'",
    'style-src': "'self'",
    'base-uri': "'none'",
    'form-action': "'none'",
    ...csp,
  };
  return {
    status: 200,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': Object.entries(policy)
        .map(([name, value]) => `${name} ${value}`)
        .join('; '),
    },
    body: `<!doctype html>
<html lang="${lang}"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">${head}</head>
<body>${body}</body></html>
`,
  };
}
