import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { barcodeSvg } from '../../../src/payment-requests/documents/barcode-image.ts';
import { styles } from '../../../src/platform/pages/assets.ts';

const policy = [
  "default-src 'none'",
  "frame-src 'self'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
].join('; ');

const asset = (name: string) => readFile(new URL(`../../../src/${name}`, import.meta.url), 'utf8');

export type PageServer = {
  readonly origin: string;
  /** Bodies of the forms that arrived, in order. */
  readonly posts: string[];
  close(): Promise<void>;
};

/**
 * Serves the given pages by path under a strict policy, and accepts forms. A form posted to `/stay`
 * keeps its page open.
 */
export async function servePages(pages: Readonly<Record<string, string>>): Promise<PageServer> {
  const posts: string[] = [];
  const files: Record<string, readonly [string, string]> = {
    '/checkout.css': ['text/css', styles.content.toString()],
    '/checkout.js': ['text/javascript', await asset('checkout/assets/checkout.js')],
    '/brand.js': ['text/javascript', await asset('checkout/assets/brand.js')],
    '/frame.js': ['text/javascript', await asset('platform/pages/assets/frame.js')],
    '/swap.js': ['text/javascript', await asset('checkout/assets/swap.js')],
    '/barcode.svg': ['image/svg+xml', barcodeSvg('0'.repeat(59))],
  };
  const server = createServer(async (request, response) => {
    const path = request.url?.split('?')[0] ?? '/';
    if (request.method === 'POST') {
      let body = '';
      for await (const chunk of request) body += chunk;
      if (path.endsWith('/check')) {
        // The check accepts every form.
        response.writeHead(204).end();
        return;
      }
      posts.push(body);
      if (path === '/stay') {
        response.writeHead(204).end();
        return;
      }
    }
    const page = pages[path];
    const [type, text] = files[path] ?? ['text/html', page ?? ''];
    response.writeHead(page === undefined && files[path] === undefined ? 404 : 200, {
      'content-type': `${type}; charset=utf-8`,
      'content-security-policy': policy,
    });
    response.end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('No port.');
  return {
    origin: `http://127.0.0.1:${address.port}`,
    posts,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
