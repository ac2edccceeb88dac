import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Page with an acquirer's card fields, which exchanges the typed number for a token. */
const framePage = `<!doctype html><html lang="es"><meta charset="utf-8"><title>Tarjeta</title>
<style>body{font:16px system-ui;margin:0;padding:4px}label{display:block;margin:.6rem 0 .2rem}
input{font:inherit;width:100%;box-sizing:border-box;padding:.6rem;border:1px solid #7c8b96;border-radius:.4rem}</style>
<label for="number">Número de tarjeta</label><input id="number" inputmode="numeric">
<label for="name">Nombre y apellido</label><input id="name">
<label for="expiry">Vencimiento</label><input id="expiry">
<label for="code">Código de seguridad</label><input id="code">
<p id="fault" role="alert"></p>
<script type="module">
const parentOrigin = new URL(location).searchParams.get('parent');
const say = (data) => parent.postMessage(data, parentOrigin);
const at = (id) => document.getElementById(id);
const digits = () => at('number').value.replace(/\\D/g, '');
const brandOf = (text) => ({ 4: 'visa', 5: 'mastercard', 3: 'amex' })[text[0]];
at('number').addEventListener('input', () => say({ recaudo: 'brand', brand: brandOf(digits()) }));
addEventListener('message', async ({ origin, data }) => {
  if (origin !== parentOrigin || data?.recaudo !== 'submit') return;
  const number = digits();
  if (number.length < 13) {
    at('fault').textContent = 'Revisá el número';
    return say({ recaudo: 'faults' });
  }
  const answer = await fetch('/tokens', { method: 'POST', body: number });
  const { token } = await answer.json();
  say({ recaudo: 'token', token, brand: brandOf(number), bin: number.slice(0, 6),
    last_four: number.slice(-4), holder_name: at('name').value });
});
say({ recaudo: 'ready' });
say({ recaudo: 'height', px: document.documentElement.scrollHeight });
</script>`;

/** A 3-D Secure step: a button that ends it. */
const stepPage = `<!doctype html><html lang="es"><meta charset="utf-8"><title>Banco</title>
<p>Tu banco te mandó un código.</p><button>Confirmar</button>
<script type="module">
document.querySelector('button').addEventListener('click', () =>
  parent.postMessage({ recaudo: 'finished' }, '*'));
</script>`;

export interface FrameServer {
  origin: string;
  /** Number of cards turned into tokens. */
  tokens: number;
  stop(): Promise<void>;
}

/**
 * Serves the pages of an acquirer: card fields, a 3-D Secure step, and a new token for every card.
 */
export async function serveFrames(): Promise<FrameServer> {
  const served = { tokens: 0 };
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://frame').pathname;
    if (path === '/tokens') {
      request.resume();
      served.tokens += 1;
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ token: `tok_${served.tokens}` }));
      return;
    }
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
    response.end(path === '/step' ? stepPage : framePage);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    get tokens() {
      return served.tokens;
    },
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
